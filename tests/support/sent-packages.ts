import type { TestService } from './test-service.js';

/** A file of a package as its address names it. */
export interface SentPackage {
  readonly name?: string;
  readonly version?: string;
  readonly file?: string;
  /** Behind the address, as in `?select=package_file`. */
  readonly query?: string;
}

export const packagePath = (
  projectId: number,
  { name = 'tools', version = '1.0.0', file = 'a.txt', query = '' }: SentPackage = {},
): string =>
  `/projects/${projectId}/packages/generic/${[name, version, file].map((part) => encodeURIComponent(part)).join('/')}${query}`;

type Headers = Readonly<Record<string, string>>;

export const byToken = ({ token }: { readonly token: string }): Headers => ({ 'PRIVATE-TOKEN': token });

/** Sends a file as `curl --upload-file` does. */
export const sendPackage = async (
  { url }: Pick<TestService, 'url'>,
  headers: Headers,
  projectId: number,
  content: string | Uint8Array,
  of: SentPackage = {},
) => {
  const body = typeof content === 'string' ? content : Buffer.from(content);
  const answer = await fetch(`${url}/api/v4${packagePath(projectId, of)}`, { method: 'PUT', headers, body });
  const text = await answer.text();
  return { status: answer.status, body: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown> };
};

export const fetchPackage = async (
  { url }: Pick<TestService, 'url'>,
  headers: Headers,
  projectId: number,
  of: SentPackage = {},
) => {
  const answer = await fetch(`${url}/api/v4${packagePath(projectId, of)}`, { headers });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
};

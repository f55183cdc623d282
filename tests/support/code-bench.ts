import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { git, temporaryFolder } from './git.js';
import { installWithToken } from './service-kills.js';
import { ServiceProcess } from './service-process.js';

/** A service with projects of root, to be measured. */
export class CodeBench {
  private constructor(
    readonly service: ServiceProcess,
    readonly token: string,
    readonly settings: Readonly<Record<string, string>>,
  ) {}

  static async start(databaseUrl: string, more: Readonly<Record<string, string>> = {}): Promise<CodeBench> {
    const settings = {
      DATABASE_URL: databaseUrl,
      SECRET_KEY: randomBytes(32).toString('base64'),
      REPOSITORIES_DIR: temporaryFolder(),
      NODE_ENV: 'production',
      ...more,
    };
    const token = await installWithToken(settings);
    return new CodeBench(await ServiceProcess.start(settings), token, settings);
  }

  get headers(): Readonly<Record<string, string>> {
    return { 'PRIVATE-TOKEN': this.token };
  }

  /** For git's own clients. */
  get authorization(): string {
    return `Basic ${Buffer.from(`x:${this.token}`).toString('base64')}`;
  }

  remote(path: string): string {
    return `${this.service.url.replace('//', `//x:${this.token}@`)}/root/${path}.git`;
  }

  api(path: string): string {
    return `${this.service.url}/api/v4${path}`;
  }

  /** Makes a project of a bare repository, as a push does. */
  async push(folder: string, path: string): Promise<void> {
    await git(['--git-dir', folder, 'push', '--quiet', this.remote(path), 'main']);
  }

  /** Milliseconds of one request, its answer read. @throws Error for any answer that isn't a success. */
  async timeOf(address: string, init: RequestInit = {}): Promise<number> {
    const startedAt = performance.now();
    const response = await fetch(address, { headers: this.headers, ...init });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`${address} answered ${response.status}.`);
    return performance.now() - startedAt;
  }

  /** Memory of the service, and of what it has started, in MiB: shared pages are divided among those who share them. */
  memory(): { readonly service: number; readonly children: number } {
    const own = this.service.residentMemory();
    return { service: own, children: descendantsOf(this.service.pid).reduce((sum, pid) => sum + proportionOf(pid), 0) };
  }
}

const statOf = (pid: number): { readonly parent: number } | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return { parent: Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) };
  } catch {
    return undefined;
  }
};

const descendantsOf = (root: number): readonly number[] => {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), parent: statOf(Number(name))?.parent }));
  const found = [root];
  for (const each of found) found.push(...parents.filter(({ parent }) => parent === each).map(({ pid }) => pid));
  return found.slice(1);
};

const proportionOf = (pid: number): number => {
  try {
    return Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
};

/** Of figures, that which so many of a hundred don't exceed. */
export const percentile = (values: readonly number[], percent: number): number =>
  [...values].sort((one, other) => one - other)[Math.ceil((values.length * percent) / 100) - 1] ?? NaN;

export type SshService = 'git-upload-pack' | 'git-receive-pack' | 'git-upload-archive';

export type SshCommand =
  | { readonly kind: 'git'; readonly service: SshService; readonly projectPath: string }
  | { readonly kind: 'unknown' | 'unreadable' };

const SERVICE = /^git[ -](upload-pack|receive-pack|upload-archive)(?: +(.*))?$/s;
/** A word in single quotes, as git writes it; or a plain one. What a shell would do more is not done; NUL is in no path. */
const QUOTED = /^'((?:[^'\\\0]|'\\['!]')*)'$/s;
const PLAIN = /^[^\s\0'"\\`$;&|<>(){}*?[\]!#~]+$/;

const wordOf = (text: string): string | undefined => {
  const quoted = QUOTED.exec(text)?.[1];
  if (quoted !== undefined) return quoted.replaceAll(/'\\(['!])'/g, '$1');
  return PLAIN.test(text) ? text : undefined;
};

/** What a client asks to be run: one of three commands, with the path of a project. */
export const readSshCommand = (text: string): SshCommand => {
  const [, name, rest = ''] = SERVICE.exec(text.trim()) ?? [];
  if (name === undefined) return { kind: 'unknown' };
  const path = wordOf(rest.trim());
  if (path === undefined) return { kind: 'unreadable' };
  const projectPath = path
    .replace(/^\//, '')
    .replace(/\/$/, '')
    .replace(/\.git$/, '');
  return { kind: 'git', service: `git-${name as 'upload-pack'}`, projectPath };
};

/** The version of the protocol that `GIT_PROTOCOL` asks for. */
export const versionOf = (asked: string | undefined): 0 | 1 | 2 => {
  const words = asked?.split(':') ?? [];
  if (words.includes('version=2')) return 2;
  return words.includes('version=1') ? 1 : 0;
};

const RULE = '='.repeat(72);

/** Lines as git prints what a server says. */
export const told = (lines: readonly string[]): string =>
  lines.map((line) => `remote: ${line}`.trimEnd()).join('\n') + '\n';

/** A refusal as it stands out among what git prints. */
export const framed = (text: string): string => told(['', RULE, '', `ERROR: ${text}`, '', RULE, '']);

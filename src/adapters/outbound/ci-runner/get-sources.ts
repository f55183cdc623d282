import type { GitSource } from './job.js';
import type { Variables } from './job-environment.js';
import { run, type Command } from './run-bash.js';

/** An address without who asks there, and who that is. */
interface Remote {
  readonly url: string;
  readonly username?: string;
  readonly password?: string;
}

const SAFE_PROTOCOLS = 'file:http:https:ssh';

export const remoteOf = (address: string): Remote => {
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return { url: address };
  const url = new URL(address);
  const [username, password] = [url.username, url.password].map(decodeURIComponent);
  url.username = '';
  url.password = '';
  return username === '' && password === ''
    ? { url: url.href }
    : { url: url.href, username: username!, password: password! };
};

/** Answers git when it asks, from the environment: a password is on no command line, and in no file. */
const HELPER =
  '!f() { test "$1" = get && printf "username=%s\\npassword=%s\\n" "$GIT_JOB_USERNAME" "$GIT_JOB_PASSWORD"; }; f';

const insteadOfSsh = ({ origin, hostname }: URL): readonly (readonly [string, string])[] =>
  [`git@${hostname}:`, `ssh://git@${hostname}/`].map((address) => [`url.${origin}/.insteadOf`, address]);

const settingsOf = ({ url, username, password }: Remote, byHttp: boolean): Variables => {
  const settings: (readonly [string, string])[] = [['credential.helper', '']];
  if (byHttp && URL.canParse(url)) settings.push(...insteadOfSsh(new URL(url)));
  if (username !== undefined) settings.push([`credential.${new URL(url).origin}.helper`, HELPER]);
  const numbered = settings.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return {
    GIT_TERMINAL_PROMPT: '0',
    GIT_ALLOW_PROTOCOL: SAFE_PROTOCOLS,
    GIT_CONFIG_COUNT: String(settings.length),
    ...(Object.fromEntries(numbered) as Variables),
    ...(username === undefined ? {} : { GIT_JOB_USERNAME: username, GIT_JOB_PASSWORD: password ?? '' }),
  };
};

/** Which submodules of the code are fetched. */
export interface Submodules {
  /** With those of submodules. */
  readonly recursive: boolean;
  /** How many commits of their past; 0 is all. */
  readonly depth: number;
  /** Patterns of git; with none of them all. */
  readonly paths: readonly string[];
  /** Addresses of SSH at the server of the job are those of HTTP. */
  readonly byHttp: boolean;
}

/** As variables of the job ask for them; undefined where they ask for none. @throws Error for what nobody knows. */
export const submodulesBy = (variables: Variables, { depth: ofJob }: GitSource): Submodules | undefined => {
  const strategy = variables['GIT_SUBMODULE_STRATEGY'] || 'none';
  if (strategy === 'none') return undefined;
  if (strategy !== 'normal' && strategy !== 'recursive')
    throw new Error('GIT_SUBMODULE_STRATEGY is none of `none`, `normal` and `recursive`');
  const depth = /^\d{1,9}$/.exec(variables['GIT_SUBMODULE_DEPTH'] ?? '')?.[0];
  const paths = (variables['GIT_SUBMODULE_PATHS'] ?? '').split(/\s+/).filter((path) => path !== '');
  const byHttp = variables['GIT_SUBMODULE_FORCE_HTTPS'] === 'true';
  return { recursive: strategy === 'recursive', depth: Number(depth ?? ofJob), paths, byHttp };
};

const argsOfSubmodules = ({ recursive, depth, paths }: Submodules): readonly (readonly string[])[] => {
  const deep = recursive ? ['--recursive'] : [];
  const past = depth > 0 ? ['--depth', String(depth)] : [];
  return [
    ['submodule', 'sync', '--quiet', ...deep, '--', ...paths],
    ['submodule', 'update', '--init', '--quiet', ...deep, ...past, '--', ...paths],
  ];
};

/** Fetches the code of a job into a folder and checks its commit out; answers the exit code of the git that failed, else 0. */
export const getSources = async (
  source: GitSource,
  submodules: Submodules | undefined,
  command: Omit<Command, 'file' | 'args'>,
  say: (line: string) => void,
): Promise<number> => {
  const remote = remoteOf(source.url);
  const environment = { ...command.environment, ...settingsOf(remote, submodules?.byHttp === true) };
  const depth = source.depth > 0 ? ['--depth', String(source.depth)] : [];
  say(source.depth > 0 ? `Fetching ${source.depth} commits of the past at most…` : 'Fetching the whole past…');
  const runAll = async (steps: readonly (readonly string[])[]): Promise<number> => {
    for (const args of steps) {
      const code = await run({ ...command, environment, file: 'git', args });
      if (code !== 0) return code;
    }
    return 0;
  };
  const fetched = await runAll([
    ['init', '--quiet', '--template=', '.'],
    ['remote', 'add', 'origin', remote.url],
    ['fetch', '--quiet', '--no-tags', '--force', ...depth, 'origin', ...source.refspecs],
  ]);
  if (fetched !== 0) return fetched;
  say(`Checking out ${source.sha.slice(0, 8)} of ${source.ref}…`);
  const checkout = ['checkout', '--quiet', '--force', '--detach', source.sha];
  const code = await runAll([['-c', 'advice.detachedHead=false', ...checkout]]);
  if (code !== 0 || submodules === undefined) return code;
  say('Fetching its submodules…');
  return runAll(argsOfSubmodules(submodules));
};

/** What git doesn't know of a folder, below it. @throws Error where there is no code. */
export const untrackedFiles = async (command: Omit<Command, 'file' | 'args'>): Promise<readonly string[]> => {
  const chunks: Buffer[] = [];
  const onOutput = (chunk: Buffer): void => void chunks.push(chunk);
  const code = await run({
    ...command,
    onOutput,
    onComplaint: command.onOutput,
    file: 'git',
    args: ['ls-files', '--others', '-z'],
  });
  if (code !== 0) throw new Error('git can not tell what it does not know');
  return Buffer.concat(chunks)
    .toString('utf8')
    .split('\0')
    .filter((path) => path !== '');
};

import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWithPackage, isInstalled } from './system-package.js';

/** A home without configuration, so that the machine's own doesn't change what tests see. */
const ENVIRONMENT = {
  PATH: process.env['PATH'] ?? '',
  HOME: '/nonexistent',
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_TERMINAL_PROMPT: '0',
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.com',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.com',
};

/** A suite that needs git, or else says loudly that it was left out. */
export const withGit = (name: string, suite: () => void): void =>
  describeWithPackage('git', isInstalled('git'), name, suite);

export interface GitResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface StartOptions {
  readonly cwd: string | undefined;
  readonly input: string | Buffer | undefined;
  readonly env: Readonly<Record<string, string>>;
}

declare global {
  /** What the environment of tests brings (`program-starter.js`). */
  function startProgram(program: string, argv: readonly string[], options: StartOptions): Promise<GitResult>;
}

export interface GitOptions {
  readonly cwd?: string;
  readonly input?: string | Buffer;
  readonly env?: Readonly<Record<string, string>>;
}

/** A commit that looks for something to tidy up, as it does by default, takes twice as long; so does a new tree with samples of hooks. */
const CONFIGURATION = ['init.defaultBranch=main', 'maintenance.auto=false', 'init.templateDir='].flatMap((setting) => [
  '-c',
  setting,
]);

/** Runs stock git, and answers whatever it answers. */
export const tryGit = (argv: readonly string[], options?: GitOptions): Promise<GitResult> =>
  tryProgram('git', [...CONFIGURATION, ...argv], options);

export const tryProgram = async (
  program: string,
  argv: readonly string[],
  { cwd, input, env }: GitOptions = {},
): Promise<GitResult> => {
  const { code, stdout, stderr } = await startProgram(program, argv, { cwd, input, env: { ...ENVIRONMENT, ...env } });
  return { code, stdout, stderr };
};

/** The same, where anything but success is a fault of the test. */
export const git = async (argv: readonly string[], options: GitOptions = {}): Promise<string> => {
  const { code, stdout, stderr } = await tryGit(argv, options);
  if (code !== 0) throw new Error(`git ${argv.join(' ')} ended with ${code}: ${stderr}`);
  return stdout;
};

/** Removed with the directory of the run. */
export const temporaryFolder = (): string =>
  mkdtempSync(join(process.env['GATEHOUSE_TEST_DIRECTORY'] ?? tmpdir(), 'git-'));
export const removeFolder = (folder: string): void => rmSync(folder, { recursive: true, force: true });

/** The name of a store that nobody has. */
export const newStoreName = (): string => randomBytes(32).toString('hex');

/** A commit for `fast-import`: its files, and none of those before unless `from` is given. */
export interface MadeCommit {
  readonly branch: string;
  readonly message: string;
  readonly files: Readonly<Record<string, string | null>>;
  readonly from?: string;
  readonly merge?: string;
  readonly seconds?: number;
  readonly author?: string;
}

const data = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}\n`;

/** Fills a store in one go. */
export const fastImport = async (folder: string, commits: readonly MadeCommit[]): Promise<void> => {
  const stream = commits.map(
    ({ branch, message, files, from, merge, seconds = 1_700_000_000, author = 'Ada' }, index) => {
      const person = `${author} <${author.toLowerCase()}@example.com> ${seconds + index} +0200`;
      const changes = Object.entries(files).map(([path, content]) =>
        content === null ? `D ${path}\n` : `M 100644 inline ${path}\n${data(content)}`,
      );
      return [
        `commit refs/heads/${branch}\n`,
        `author ${person}\n`,
        `committer ${person}\n`,
        data(message),
        from === undefined ? '' : `from refs/heads/${from}\n`,
        merge === undefined ? '' : `merge refs/heads/${merge}\n`,
        ...changes,
        '\n',
      ].join('');
    },
  );
  await git(['--git-dir', folder, 'fast-import', '--quiet', '--force'], { input: stream.join('') });
};

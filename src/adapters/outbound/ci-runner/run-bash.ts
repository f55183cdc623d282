import { spawn, type ChildProcess } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import type { Variables } from './job-environment.js';

export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly folder: string;
  readonly environment: Variables;
  readonly onOutput: (chunk: Buffer) => void;
  /** What it says beside its output; as that unless told otherwise. */
  readonly onComplaint?: (chunk: Buffer) => void;
  /** Ends it, and whatever it started. */
  readonly signal: AbortSignal;
}

/** How long whoever is asked to end has for it. */
const GRACE_MS = 2_000;
/** How long is waited for output of what has ended. */
const LAST_WORDS_MS = 2_000;

/** To a process and all that it started, as far as they did not leave its group. */
const signalGroup = ({ pid }: ChildProcess, name: NodeJS.Signals): void => {
  try {
    if (pid !== undefined) process.kill(-pid, name);
  } catch {
    // There is nobody left.
  }
};

/** Runs a command in a process group of its own; answers its exit code, where a signal ended it that of a shell. */
export const run = ({
  file,
  args,
  folder,
  environment,
  onOutput,
  onComplaint = onOutput,
  signal,
}: Command): Promise<number> =>
  new Promise((resolve, reject) => {
    if (signal.aborted) return void resolve(1);
    const child = spawn(file, [...args], {
      cwd: folder,
      env: environment,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const timers: NodeJS.Timeout[] = [];
    const stop = (): void => {
      signalGroup(child, 'SIGTERM');
      timers.push(setTimeout(() => signalGroup(child, 'SIGKILL'), GRACE_MS));
    };
    signal.addEventListener('abort', stop, { once: true });
    child.stdout.on('data', onOutput);
    child.stderr.on('data', onComplaint);
    const settle = (done: () => void): void => {
      signal.removeEventListener('abort', stop);
      timers.forEach(clearTimeout);
      done();
    };
    child.once('error', (error) => settle(() => reject(error)));
    child.once('exit', (code) => {
      // What it left behind in its group would hold its output open.
      signalGroup(child, 'SIGKILL');
      const closeOutput = (): void => {
        child.stdout.destroy();
        child.stderr.destroy();
      };
      timers.push(setTimeout(closeOutput, LAST_WORDS_MS));
      child.once('close', () => settle(() => resolve(code ?? 1)));
    });
  });

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Shows a command as it was written; of one with several lines the first. */
const announce = (command: string): string => {
  const [first = '', ...more] = command.split('\n');
  const shown = more.some((line) => line.trim() !== '') ? `$ ${first} # and more lines` : `$ ${first}`;
  return `printf '\\033[32;1m%s\\033[0;m\\n' ${quoted(shown)}`;
};

/** What bash reads: each command after a line that shows it. The first that fails ends it. */
const scriptOf = (commands: readonly string[]): string =>
  ['set -eo pipefail', ...commands.flatMap((command) => [announce(command), command]), ''].join('\n');

/** Runs commands by bash, which reads no settings of whoever started the runner. */
export const runScript = async (
  path: string,
  commands: readonly string[],
  command: Omit<Command, 'file' | 'args'>,
): Promise<number> => {
  await writeFile(path, scriptOf(commands), { mode: 0o600 });
  return run({ ...command, file: 'bash', args: ['--noprofile', '--norc', path] });
};

import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ServiceProcess } from './service-process.js';

const MAIN = fileURLToPath(new URL('../../dist/infrastructure/main.js', import.meta.url));

export type Victim = 'service' | 'runner' | 'git' | 'all';
export const VICTIMS: readonly Victim[] = ['service', 'git', 'runner', 'all'];

const childrenOf = (pid: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((each) => {
      try {
        const stat = readFileSync(`/proc/${each}/stat`, 'utf8');
        return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === pid;
      } catch {
        return false;
      }
    });

const killHard = (pid: number | undefined): void => {
  if (pid === undefined) return;
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
};

/** Ends one of the processes of a service, or all of them at once; what is left of it goes on. */
export const kill = async (service: ServiceProcess, victim: Victim): Promise<void> => {
  const [runner] = childrenOf(service.pid);
  if (victim === 'runner') killHard(runner);
  if (victim === 'all') {
    const children = runner === undefined ? [] : [...childrenOf(runner), runner];
    const ended = service.end('SIGKILL');
    children.forEach(killHard);
    await ended;
  }
  // A child lives for milliseconds: one of them is met by looking often.
  for (let look = 0; victim === 'git' && look < 200; look += 1) {
    const [child] = runner === undefined ? [] : childrenOf(runner);
    if (child !== undefined) return killHard(child);
    await sleep(1);
  }
  if (victim === 'service') await service.end('SIGKILL');
};

/** A token of root in an installation that is made by it. */
export const installWithToken = async (settings: Readonly<Record<string, string>>): Promise<string> => {
  await (await ServiceProcess.start({ ...settings, ROOT_PASSWORD: 'a-difference-engine' })).end('SIGTERM');
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [MAIN, 'token', 'create', '--user', 'root', '--scopes', 'api'],
    { env: { PATH: process.env['PATH'], ...settings } },
  );
  return stdout.trim();
};

/** What a command of the program prints, and its exit code. */
export const runCommand = async (
  settings: Readonly<Record<string, string>>,
  ...argv: readonly string[]
): Promise<{ readonly code: number; readonly printed: string }> => {
  const env = { PATH: process.env['PATH'], ...settings };
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [MAIN, ...argv], { env });
    return { code: 0, printed: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, printed: stdout + stderr };
  }
};

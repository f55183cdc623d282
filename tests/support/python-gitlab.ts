import { execFile, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { leftOutWithout } from './system-package.js';

// The interpreter of the operating system, whose packages these are.
const PYTHON = '/usr/bin/python3';

/** Whether a test of python-gitlab is left out, which it says loudly. */
export const withoutPythonGitlab = (): boolean =>
  leftOutWithout('python3-gitlab', spawnSync(PYTHON, ['-c', 'import gitlab']).status === 0);

/** What a script of `tests/acceptance/clients` prints, which leaves no bytecode beside it. */
export const runPythonGitlab = async (script: string, ...argv: readonly string[]): Promise<unknown> => {
  const path = fileURLToPath(new URL(`../acceptance/clients/${script}`, import.meta.url));
  return JSON.parse((await promisify(execFile)(PYTHON, ['-B', path, ...argv])).stdout);
};

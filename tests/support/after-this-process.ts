import { spawn, type ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';

/**
 * Runs a script once this process is gone, however it went: its shell reads from a pipe that nobody writes to, and that closes with
 * this process. So an interrupted run leaves nothing behind.
 */
export const afterThisProcess = (script: string, ...given: readonly string[]): ChildProcess => {
  const watcher = spawn('/bin/sh', ['-c', `read -r _; ${script}`, 'watcher', ...given], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watcher.unref();
  (watcher.stdin as Socket | null)?.unref();
  return watcher;
};

import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder, tryGit, tryProgram, type GitResult } from './git.js';
import type { TestKey } from './ssh-keys.js';
import { describeWithPackage, isInstalled } from './system-package.js';

/** A suite that needs the client of OpenSSH, or else says loudly that it was left out. */
export const withSsh = (name: string, suite: () => void): void =>
  describeWithPackage('openssh-client', isInstalled('ssh') && isInstalled('ssh-keygen'), name, suite);

/** Somebody at a machine with a key, and the stock client. */
export class SshClient {
  readonly #file = join(temporaryFolder(), 'key');

  constructor(
    private readonly port: number,
    key: TestKey,
  ) {
    writeFileSync(this.#file, key.secret);
    chmodSync(this.#file, 0o600);
  }

  /** For `GIT_SSH_COMMAND`. */
  get command(): string {
    const known = [
      'StrictHostKeyChecking=no',
      'UserKnownHostsFile=/dev/null',
      'IdentitiesOnly=yes',
      'IdentityAgent=none',
    ];
    return [
      'ssh',
      '-F',
      'none',
      '-o',
      'LogLevel=ERROR',
      '-i',
      this.#file,
      ...known.flatMap((option) => ['-o', option]),
    ].join(' ');
  }

  git(argv: readonly string[], cwd?: string): Promise<GitResult> {
    return tryGit(argv, { ...(cwd === undefined ? {} : { cwd }), env: { GIT_SSH_COMMAND: this.command } });
  }

  /** Runs something else than git. */
  ssh(...argv: readonly string[]): Promise<GitResult> {
    const [program = 'ssh', ...options] = this.command.split(' ');
    return tryProgram(program, [...options, '-p', String(this.port), ...argv]);
  }

  /** Begins something that is still to be given its input. */
  start(...argv: readonly string[]): ChildProcessWithoutNullStreams {
    const [program = 'ssh', ...options] = this.command.split(' ');
    return spawn(program, [...options, '-p', String(this.port), ...argv]);
  }

  remote(path: string): string {
    return `ssh://git@127.0.0.1:${this.port}/${path}.git`;
  }
}

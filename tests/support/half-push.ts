import { spawn } from 'node:child_process';
import { request } from 'node:http';
import { readdirSync, readFileSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { NO_OBJECT } from '../../src/domain/repositories/object-id.js';
import { packet } from '../../src/adapters/inbound/git/pkt-line.js';
import { REPOSITORY_TOKENS } from '../../src/infrastructure/composition/repositories.tokens.js';
import type { WorkTree } from './git-service.js';
import type { SshClient } from './ssh-client.js';
import type { TestService } from './test-service.js';

const packOf = async (tree: WorkTree): Promise<Buffer> => {
  const child = spawn('git', ['pack-objects', '--quiet', '--stdout', '--revs', '--all'], { cwd: tree.folder });
  child.stdin.end();
  const chunks: Buffer[] = [];
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
};

export interface RefusedPush {
  readonly status: number;
  readonly text: string;
}

/** A push of a branch that is to come, of which half is sent, and then nothing for a while. */
export class HalfPush {
  private constructor(
    private readonly sending: Writable,
    private readonly rest: Buffer,
    readonly answer: Promise<RefusedPush>,
  ) {}

  /** @param remote with a name and a secret in it. */
  static async send(remote: string, tree: WorkTree, branch: string): Promise<HalfPush> {
    const { origin, pathname, username, password } = new URL(remote);
    const sending = request(`${origin}${pathname}/git-receive-pack`, {
      method: 'POST',
      auth: `${username}:${password}`,
      headers: { 'Content-Type': 'application/x-git-receive-pack-request' },
      agent: false,
    });
    const answer = new Promise<RefusedPush>((resolve) => {
      sending.once('response', (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (text += chunk));
        response.once('close', () => resolve({ status: response.statusCode ?? 0, text }));
      });
      sending.once('error', (error) => resolve({ status: 0, text: String(error) }));
    });
    return HalfPush.#begin(sending, answer, tree, branch);
  }

  /** The status is the code that the client ends with. */
  static async sendOverSsh(client: SshClient, path: string, tree: WorkTree, branch: string): Promise<HalfPush> {
    const child = client.start('git@127.0.0.1', `git-receive-pack '${path}.git'`);
    const answer = new Promise<RefusedPush>((resolve) => {
      let text = '';
      for (const output of [child.stdout, child.stderr])
        output.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      child.once('close', (code) => resolve({ status: code ?? -1, text }));
    });
    return HalfPush.#begin(child.stdin, answer, tree, branch);
  }

  static async #begin(
    sending: Writable,
    answer: Promise<RefusedPush>,
    tree: WorkTree,
    branch: string,
  ): Promise<HalfPush> {
    const pack = await packOf(tree);
    const half = Math.floor(pack.length / 2);
    const command = `${NO_OBJECT} ${await tree.head()} refs/heads/${branch}\0report-status side-band-64k`;
    sending.write(Buffer.concat([packet(command), Buffer.from('0000'), pack.subarray(0, half)]));
    return new HalfPush(sending, pack.subarray(half), answer);
  }

  /** Sends the rest. */
  finish(): Promise<RefusedPush> {
    this.sending.end(this.rest);
    return this.answer;
  }

  /** Leaves without a word. */
  breakOff(): void {
    this.sending.destroy();
  }
}

const statusOf = (pid: string): { readonly parent: number; readonly command: string } | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return { parent: Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]), command };
  } catch {
    return undefined;
  }
};

/** How many children of a service take packs. */
export const packsBeingTaken = ({ service }: TestService): number => {
  const runner = service.container.get(REPOSITORY_TOKENS.gitStores).runnerPid();
  const processes = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (statusOf(name) ?? []) : []));
  return processes.filter(({ parent, command }) => parent === runner && command.includes(' index-pack ')).length;
};

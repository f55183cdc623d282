import type { ServeFetch } from '../../../application/repositories/serve-fetch.js';
import { ByteReader } from '../../streams/byte-reader.js';
import { advertisedTo } from '../../../application/repositories/advertise-refs.js';
import type { Advertisement } from '../git/advertisement.js';
import type { GitCaller } from '../git/git-caller.js';
import type { GitGate } from '../git/git-gate.js';
import { GitRefusal, ProjectMoved } from '../git/git-refusal.js';
import { DELIMITER, errorPacket, FLUSH, keepAlive, packet, readPacket, textOf } from '../git/pkt-line.js';
import { readPush, reportTooMany, TooManyChanges, type PushRequest } from '../git/push-conversation.js';
import type { TakePush } from '../git/take-push.js';
import type { SshCommand } from './ssh-command.js';

/** What a channel carries, with the brakes of both sides. */
export interface Wire {
  readonly input: AsyncIterable<Uint8Array>;
  write(bytes: Uint8Array): Promise<void>;
  /** To the person, beside what git hears. */
  tell(lines: readonly string[]): void;
}

export interface GitConversationParts {
  readonly gate: GitGate;
  readonly advertisement: Advertisement;
  readonly serveFetch: ServeFetch;
  readonly takePush: TakePush;
  readonly cloneUrl: (fullPath: string) => string;
}

export interface Asked {
  readonly caller: GitCaller;
  readonly command: Extract<SshCommand, { kind: 'git' }>;
  readonly version: 0 | 1 | 2;
}

const KEEP_ALIVE_MS = 5_000;
const NOTHING_THERE = 'A repository for this project does not exist yet.';
const NO_ARCHIVES = 'Archives are not served over SSH: download them by GET /api/v4/projects/:id/repository/archive.';

/** Talks git over a channel that stays open: the same use cases, rights and refusals as over HTTP. */
export class GitConversation {
  constructor(private readonly parts: GitConversationParts) {}

  /** @throws GitRefusal, Malformed, and what the use cases throw. */
  async hold(asked: Asked, wire: Wire): Promise<void> {
    const { service } = asked.command;
    if (service === 'git-receive-pack') return this.#takePush(asked, wire);
    if (service === 'git-upload-archive') throw new GitRefusal(501, NO_ARCHIVES);
    return this.#serveFetch(asked, wire);
  }

  async #serveFetch({ caller, command, version }: Asked, wire: Wire): Promise<void> {
    const { gate, advertisement, serveFetch } = this.parts;
    const permitted = await this.#whereItIs(command.projectPath, wire, (path) => gate.reading(caller, path));
    // A conversation may outlive the key, or the right.
    const again: Again = async () => gate.readingOn(await caller.again(), permitted.project.id);
    const input = new ByteReader(wire.input);
    if (version === 2) return this.#serveRequests(again, input, wire);
    await writeAll(wire, advertisement.forFetch(advertisedTo(permitted), version));
    // Who has seen enough ends here.
    const first = await readPacket(input);
    if (first?.kind !== 'data') return;
    const answer = await serveFetch.converse(await again(), wholeAgain(first.payload, input));
    if (answer === undefined) throw new GitRefusal(404, NOTHING_THERE);
    await writeAll(wire, answer);
  }

  /** Version 2: one request after another. */
  async #serveRequests(again: Again, input: ByteReader, wire: Wire): Promise<void> {
    const { advertisement, serveFetch } = this.parts;
    await wire.write(advertisement.capabilities());
    for (;;) {
      const first = await readPacket(input);
      if (first?.kind !== 'data') return;
      const permitted = await again();
      if (textOf(first.payload) === 'command=ls-refs') {
        await writeAll(wire, advertisement.lsRefs(advertisedTo(permitted), await advertisement.readAsked(input)));
        continue;
      }
      const answer = await serveFetch.execute(permitted, 2, oneRequest(first.payload, input));
      if (answer === undefined) return wire.write(errorPacket(NOTHING_THERE));
      await writeAll(wire, answer);
    }
  }

  /** A project that was renamed or moved is served where it is now, and the address is told: nothing redirects a client of SSH. */
  async #whereItIs<Found>(path: string, wire: Wire, find: (path: string) => Promise<Found>): Promise<Found> {
    try {
      return await find(path);
    } catch (error) {
      if (!(error instanceof ProjectMoved)) throw error;
      const found = await find(error.pathNow);
      const url = this.parts.cloneUrl(error.pathNow);
      wire.tell([
        '',
        error.message,
        '',
        'Please update your Git remote:',
        '',
        `  git remote set-url origin ${url}`,
        '',
      ]);
      return found;
    }
  }

  async #takePush({ caller, command }: Asked, wire: Wire): Promise<void> {
    const { gate, advertisement, takePush } = this.parts;
    const target = await this.#whereItIs(command.projectPath, wire, (path) => gate.pushing(caller, path));
    const project = target.kind === 'there' ? advertisedTo(target.pushed.permitted) : undefined;
    await writeAll(wire, advertisement.forPush(project));
    const push = await readPush(new ByteReader(wire.input)).catch((error: unknown) => {
      if (error instanceof TooManyChanges) return error;
      throw error;
    });
    if (push === undefined) return;
    if (push instanceof TooManyChanges) return wire.write(reportTooMany(push));
    await wire.write(await whileAlive(push, wire, () => takePush.execute(target, push)));
  }
}

/** What is read, by the rights of this moment. @throws GitRefusal. */
type Again = () => ReturnType<GitGate['readingOn']>;

const writeAll = async (wire: Wire, bytes: AsyncIterable<Uint8Array>): Promise<void> => {
  for await (const chunk of bytes) await wire.write(chunk);
};

/** Tells a client that waits long that it is not forgotten. */
const whileAlive = async (push: PushRequest, wire: Wire, work: () => Promise<Buffer>): Promise<Buffer> => {
  if (!push.capabilities.has('side-band-64k')) return work();
  const timer = setInterval(() => void wire.write(keepAlive()).catch(() => undefined), KEEP_ALIVE_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
};

/** What a client sends, with the packet that was read of it. */
async function* wholeAgain(first: Buffer, input: ByteReader): AsyncGenerator<Uint8Array> {
  yield packet(first);
  yield* input.rest();
}

/** The rest of one request of version 2: up to its flush. */
async function* oneRequest(first: Buffer, input: ByteReader): AsyncGenerator<Uint8Array> {
  yield packet(first);
  for (let next = await readPacket(input); next !== undefined; next = await readPacket(input)) {
    if (next.kind === 'flush') break;
    yield next.kind === 'data' ? packet(next.payload) : Buffer.from(DELIMITER);
  }
  yield Buffer.from(FLUSH);
}

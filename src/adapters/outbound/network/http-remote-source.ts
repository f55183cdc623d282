import { request as requestHttp, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { ByteStream } from '../../../application/repositories/ports/object-stores.js';
import {
  REMOTE_WORDS,
  RemoteProblem,
  type RemoteRefs,
  type RemoteSource,
  type WantedObjects,
} from '../../../application/repositories/ports/remotes.js';
import { isObjectId, type ObjectId } from '../../../domain/repositories/object-id.js';
import { refPartsOf } from '../../../domain/repositories/ref-name.js';
import type { RemoteAddress } from '../../../domain/shared/remote-url.js';
import type { FindAddress, FoundAddress } from './find-address.js';
import { pinnedTo } from './pinned-lookup.js';
import { BrokenPackets, END_OF_LIST, packet, readPackets } from './packet-lines.js';
import { steadyBytes } from './steady-bytes.js';

export interface RemoteSourceOptions {
  readonly findAddress: FindAddress;
  /** How long a server may send nothing. */
  readonly silenceMs?: number;
  /** How long may be waited for 16 KiB, or for the end. */
  readonly slownessMs?: number;
  /** How long all of it may take. */
  readonly wholeMs?: number;
}

const SILENCE_MS = 60_000;
const SLOWNESS_MS = 300_000;
const LEAST_BYTES = 16 * 1024;
const WHOLE_MS = 3_600_000;
const MOST_LISTED = 16 * 1024 * 1024;
/** Each is looked at with all others waiting, and no more than a thousand can come. */
const MOST_REFS = 10_000;
const SERVICE = 'git-upload-pack';
/** Servers take no others for clients of git. */
const USER_AGENT = 'git/2.39 (Gatehouse)';

const NO_REPOSITORY = 'There is no git repository at this address.';
const SILENT = 'The server stopped answering.';
const TOO_SLOW = 'The server sends too slowly: it was given up, so that others get their turn.';
const TOO_MANY = 'The server has more branches and tags than can be read.';
const TOO_LONG = 'The server took longer than is waited for.';
const BROKEN = 'The server did not answer as git does, or the connection broke off.';

/** What a status means for whoever asked. */
const problemOfStatus = (status: number): RemoteProblem => {
  if (status === 401 || status === 403) return new RemoteProblem(REMOTE_WORDS.refused, false);
  if (status >= 300 && status < 400) return new RemoteProblem(REMOTE_WORDS.redirected, false);
  if (status === 404) return new RemoteProblem(REMOTE_WORDS.missing, false);
  return status >= 500 ? new RemoteProblem(REMOTE_WORDS.failed, true) : new RemoteProblem(NO_REPOSITORY, false);
};

interface Asked {
  readonly path: string;
  /** Sent by POST. */
  readonly body?: string;
  readonly type: string;
}

/**
 * Fetches by git's protocol over HTTP (version 0, which every server speaks), over connections to the very address that was checked. No
 * redirect is followed, and nothing is read beyond what is needed.
 */
export class HttpRemoteSource implements RemoteSource {
  constructor(private readonly options: RemoteSourceOptions) {}

  async refsOf(remote: RemoteAddress, signal: AbortSignal): Promise<RemoteRefs> {
    const type = `application/x-${SERVICE}-advertisement`;
    const answer = await this.#ask(remote, { path: `info/refs?service=${SERVICE}`, type }, signal);
    try {
      return await readRefs(this.#steadily(answer, bounded(answer)));
    } catch (error) {
      throw asProblem(error);
    } finally {
      answer.destroy();
    }
  }

  async *pack(remote: RemoteAddress, { wanted, had }: WantedObjects, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const [first = '', ...others] = wanted;
    const wants = [`want ${first} side-band-64k ofs-delta no-progress`, ...others.map((id) => `want ${id}`)];
    const [asking, knowing] = [wants, had.map((id) => `have ${id}`)].map((lines) =>
      lines.map((line) => packet(`${line}\n`)).join(''),
    );
    const body = `${asking}${END_OF_LIST}${knowing}${packet('done\n')}`;
    const asked = { path: SERVICE, body, type: `application/x-${SERVICE}-result` };
    const answer = await this.#ask(remote, asked, signal);
    try {
      yield* this.#steadily(answer, readPack(answer));
    } catch (error) {
      throw asProblem(error);
    } finally {
      answer.destroy();
    }
  }

  async #ask(remote: RemoteAddress, asked: Asked, signal: AbortSignal): Promise<IncomingMessage> {
    const { silenceMs = SILENCE_MS, slownessMs = SLOWNESS_MS, wholeMs = WHOLE_MS } = this.options;
    const url = new URL(`${remote.url.replace(/\/+$/, '')}/${asked.path}`);
    const found = await this.#addressOf(url.hostname);
    const bounds = { silenceMs, slownessMs, wholeMs };
    const answer = await exchange(url, { remote, asked, found, bounds }, signal).catch((error: unknown) => {
      throw asProblem(error, REMOTE_WORDS.unreachable);
    });
    const { statusCode = 0 } = answer;
    if (statusCode === 200 && answer.headers['content-type'] === asked.type) return answer;
    answer.destroy();
    throw problemOfStatus(statusCode);
  }

  /** Whoever drips holds a place that others wait for. */
  #steadily(answer: IncomingMessage, bytes: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
    const pace = { waitMs: this.options.slownessMs ?? SLOWNESS_MS, leastBytes: LEAST_BYTES };
    return steadyBytes(bytes, pace, () => void answer.destroy(new RemoteProblem(TOO_SLOW, false)));
  }

  async #addressOf(hostname: string): Promise<FoundAddress> {
    const found = await this.options.findAddress(hostname).catch(() => {
      throw new RemoteProblem('The host of the address was not found.', true);
    });
    if (found === undefined) throw new RemoteProblem(REMOTE_WORDS.privateNetwork, false);
    return found;
  }
}

const asProblem = (error: unknown, otherwise = BROKEN): RemoteProblem =>
  error instanceof RemoteProblem ? error : new RemoteProblem(otherwise, true);

interface Exchange {
  readonly remote: RemoteAddress;
  readonly asked: Asked;
  readonly found: FoundAddress;
  readonly bounds: Readonly<Record<'silenceMs' | 'slownessMs' | 'wholeMs', number>>;
}

const headersOf = ({ credentials }: RemoteAddress, { body, type }: Asked): Record<string, string> => ({
  'User-Agent': USER_AGENT,
  Accept: type,
  ...(credentials === null
    ? {}
    : {
        Authorization: `Basic ${Buffer.from(`${credentials.username}:${credentials.password}`).toString('base64')}`,
      }),
  ...(body === undefined
    ? {}
    : { 'Content-Type': `application/x-${SERVICE}-request`, 'Content-Length': String(Buffer.byteLength(body)) }),
});

const exchange = (
  url: URL,
  { remote, asked, found, bounds }: Exchange,
  signal: AbortSignal,
): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const method = asked.body === undefined ? 'GET' : 'POST';
    const options: RequestOptions = {
      method,
      headers: headersOf(remote, asked),
      lookup: pinnedTo(found),
      agent: false,
      signal,
    };
    let answer: IncomingMessage | undefined;
    const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, options, (begun) => {
      clearTimeout(slow);
      answer = begun;
      resolve(begun);
    });
    // What is read fails with the reason, where something is read already.
    const giveUp = (message: string, passing: boolean) =>
      void (answer ?? request).destroy(new RemoteProblem(message, passing));
    const slow = setTimeout(() => giveUp(TOO_SLOW, false), bounds.slownessMs);
    const whole = setTimeout(() => giveUp(TOO_LONG, false), bounds.wholeMs);
    request.setTimeout(bounds.silenceMs, () => giveUp(SILENT, true));
    request.on('close', () => {
      clearTimeout(slow);
      clearTimeout(whole);
    });
    // Without anybody who listens Node tells nothing at all of a server that switches to another protocol.
    request.on('upgrade', (_answer, socket) => {
      socket.destroy();
      reject(new RemoteProblem(NO_REPOSITORY, false));
    });
    request.on('error', reject);
    request.end(asked.body);
  });

/** Each line is an id and a name; behind the first stands what the server can do. */
const readRefs = async (listed: ByteStream): Promise<RemoteRefs> => {
  const refs = new Map<string, ObjectId>();
  let head: string | null | undefined;
  let lists = 0;
  for await (const line of readPackets(listed)) {
    if (line === null) {
      lists += 1;
      // Behind the name of the service comes the list itself.
      if (lists === 2) return { refs, head: head ?? null };
    } else if (lists === 1) {
      const { id, name, abilities } = partsOf(line);
      if (head === undefined) head = headIn(checkAbilities(abilities));
      if (isObjectId(id) && isBranchOrTag(name)) refs.set(name, id);
      if (refs.size > MOST_REFS) throw new RemoteProblem(TOO_MANY, false);
    }
  }
  throw new BrokenPackets();
};

const partsOf = (line: Buffer) => {
  const [said = '', abilities = ''] = line.toString('utf8').split('\0');
  const [id = '', name = ''] = said.trimEnd().split(' ');
  return { id, name, abilities };
};

/** Neither HEAD, nor what a tag leads to in the end, nor what servers keep beside them, of which there may be any number. */
const isBranchOrTag = (name: string): boolean => refPartsOf(name) !== undefined && !name.endsWith('^{}');

const headIn = (abilities: string): string | null => /(?:^| )symref=HEAD:(\S+)/.exec(abilities)?.[1] ?? null;

/** @throws RemoteProblem. */
const checkAbilities = (abilities: string): string => {
  const able = abilities.trim().split(' ');
  if (able.includes('object-format=sha256'))
    throw new RemoteProblem('The repository names its objects by SHA-256, which is not supported.', false);
  if (!able.includes('side-band-64k')) throw new RemoteProblem(NO_REPOSITORY, false);
  return abilities.trim();
};

async function* bounded(bytes: ByteStream): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.length;
    if (size > MOST_LISTED) throw new RemoteProblem(TOO_MANY, false);
    yield chunk;
  }
}

const DATA = 1;
const FAILURE = 3;

/** The pack between what the server says of its progress. A list that doesn't end was cut off. */
async function* readPack(answer: ByteStream): AsyncGenerator<Uint8Array> {
  for await (const line of readPackets(answer)) {
    if (line === null) return;
    if (line[0] === DATA) yield line.subarray(1);
    else if (line[0] === FAILURE || line.toString('latin1', 0, 4) === 'ERR ')
      throw new RemoteProblem('The server refused to send its code.', false);
  }
  throw new BrokenPackets();
}

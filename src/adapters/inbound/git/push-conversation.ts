import type { PushReport } from '../../../application/repositories/receive-push.js';
import type { ByteStream } from '../../../application/repositories/ports/object-stores.js';
import { isObjectId, NO_OBJECT, type ObjectId } from '../../../domain/repositories/object-id.js';
import type { RefChange } from '../../../domain/repositories/push-decision.js';
import type { ByteReader } from '../../streams/byte-reader.js';
import { bandPackets, FLUSH, Malformed, packet, readPacket, textOf } from './pkt-line.js';

const MOST_CHANGES = 1_000;
const MOST_OPTIONS_BYTES = 65_536;
/** Packets before the pack: commands, and shallow commits. */
const MOST_PACKETS = 20_000;

/** What this server can do for a push (gitprotocol-capabilities). */
export const PUSH_CAPABILITIES =
  'report-status report-status-v2 delete-refs side-band-64k quiet atomic ofs-delta object-format=sha1 push-options';

export interface PushRequest {
  readonly changes: readonly RefChange[];
  readonly capabilities: ReadonlySet<string>;
  /** As given by `git push -o`. */
  readonly options: readonly string[];
  /** Absent where no objects come. */
  readonly pack: ByteStream | undefined;
}

/** More than one push may change; it is told as a report, for git shows nothing else. */
export class TooManyChanges extends Error {
  constructor(readonly request: PushRequest) {
    super(`A push may change ${MOST_CHANGES} refs at most: push them in several steps.`);
  }
}

const idOf = (text: string): ObjectId | null => {
  if (!isObjectId(text)) throw new Malformed('A command of the push holds no object id.');
  return text === NO_OBJECT ? null : text;
};

const changeOf = (line: string): RefChange => {
  const [from = '', to = ''] = line.split(' ', 2);
  const ref = line.slice(from.length + to.length + 2);
  if (ref === '') throw new Malformed('A command of the push names no ref.');
  return { ref, from: idOf(from), to: idOf(to) };
};

interface Commands {
  readonly changes: RefChange[];
  readonly capabilities: Set<string>;
}

const readCommands = async (reader: ByteReader): Promise<Commands> => {
  const commands: Commands = { changes: [], capabilities: new Set() };
  let first = true;
  let packets = 0;
  for (let next = await readPacket(reader); next?.kind === 'data'; next = await readPacket(reader)) {
    if ((packets += 1) > MOST_PACKETS) throw new Malformed('The push has too many commands.');
    const [line = '', capabilities = ''] = textOf(next.payload).split('\0');
    // What a shallow clone lacks is here: whether all is there is asked of the objects themselves.
    if (line.startsWith('shallow ')) continue;
    if (first) capabilities.split(' ').forEach((name) => commands.capabilities.add(name));
    first = false;
    // One beyond the limit is enough to know.
    if (commands.changes.length <= MOST_CHANGES) commands.changes.push(changeOf(line));
  }
  return commands;
};

const readOptions = async (reader: ByteReader): Promise<string[]> => {
  const options: string[] = [];
  let bytes = 0;
  for (let next = await readPacket(reader); next?.kind === 'data'; next = await readPacket(reader)) {
    bytes += next.payload.length;
    if (bytes > MOST_OPTIONS_BYTES) throw new Malformed('The options of the push are too long.');
    options.push(textOf(next.payload));
  }
  return options;
};

/**
 * What a client of git sends to `git-receive-pack`; undefined for a probe, which is one flush and nothing else.
 * @throws Malformed, TooManyChanges.
 */
export const readPush = async (reader: ByteReader): Promise<PushRequest | undefined> => {
  const { changes, capabilities } = await readCommands(reader);
  if (changes.length === 0) return undefined;
  const options = capabilities.has('push-options') ? await readOptions(reader) : [];
  const pack = changes.some(({ to }) => to !== null) ? reader.rest() : undefined;
  const request = { changes, capabilities, options, pack };
  if (changes.length > MOST_CHANGES) throw new TooManyChanges(request);
  return request;
};

const reportLines = ({ unpackFailure, refs }: PushReport): Buffer =>
  Buffer.concat([
    packet(`unpack ${unpackFailure ?? 'ok'}\n`),
    ...refs.map(({ ref, failure }) => packet(failure === undefined ? `ok ${ref}\n` : `ng ${ref} ${failure}\n`)),
    Buffer.from(FLUSH),
  ]);

/** The answer to a push, in the way that the client asked for. */
export const writeReport = (report: PushReport, capabilities: ReadonlySet<string>): Buffer => {
  const wanted = capabilities.has('report-status') || capabilities.has('report-status-v2');
  const lines = wanted ? reportLines(report) : Buffer.alloc(0);
  if (!capabilities.has('side-band-64k')) return lines;
  const messages = report.messages.map((line) => bandPackets(2, Buffer.from(`${line}\n`)));
  return Buffer.concat([...messages, bandPackets(1, lines), Buffer.from(FLUSH)]);
};

/** The answer to a push of more refs than one may change. */
export const reportTooMany = ({ request: { changes, capabilities }, message }: TooManyChanges): Buffer => {
  const refs = changes.map(({ ref }) => ({ ref, failure: 'too many refs' }));
  return writeReport({ refs, unpackFailure: message, messages: [message] }, capabilities);
};

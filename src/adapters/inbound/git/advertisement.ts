import type { AdvertiseRefs, Advertised, AdvertisedProject } from '../../../application/repositories/advertise-refs.js';
import { NO_OBJECT } from '../../../domain/repositories/object-id.js';
import type { ByteReader } from '../../streams/byte-reader.js';
import { FLUSH, packet, readPacket, textOf } from './pkt-line.js';
import { PUSH_CAPABILITIES } from './push-conversation.js';

/** What `upload-pack` of the oldest git that we take can do in versions 0 and 1. */
const FETCH_CAPABILITIES =
  'multi_ack thin-pack side-band side-band-64k ofs-delta shallow deepen-since deepen-not deepen-relative no-progress include-tag ' +
  'multi_ack_detailed allow-tip-sha1-in-want allow-reachable-sha1-in-want no-done filter object-format=sha1';
const VERSION_2 = [
  'version 2',
  'ls-refs=unborn',
  'fetch=shallow wait-for-done filter',
  'server-option',
  'object-format=sha1',
];

/** A page of prefixes asks for little; more than this asks for everything. */
const MOST_PREFIXES = 50;
const MOST_LINES = 70_000;

/** Joins small packets, so that they don't go out one by one. */
async function* joined(packets: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = [];
  let size = 0;
  for await (const each of packets) {
    waiting.push(each);
    size += each.length;
    if (size < 65_536) continue;
    yield Buffer.concat(waiting);
    [waiting, size] = [[], 0];
  }
  yield Buffer.concat(waiting);
}

async function* versions0And1(
  refs: AsyncIterable<Advertised>,
  capabilities: (head: Advertised | undefined) => string,
  version: 0 | 1,
): AsyncGenerator<Buffer> {
  if (version === 1) yield packet('version 1\n');
  let first = true;
  for await (const ref of refs) {
    if (ref.target === null) continue;
    yield packet(`${ref.target} ${ref.name}${first ? `\0${capabilities(ref)}` : ''}\n`);
    first = false;
    if (ref.peeled !== null) yield packet(`${ref.peeled} ${ref.name}^{}\n`);
  }
  if (first) yield packet(`${NO_OBJECT} capabilities^{}\0${capabilities(undefined)}\n`);
  yield Buffer.from(FLUSH);
}

/** Tells what there is to be fetched or where a push would begin, from the rows: no git is started. */
export interface AskedRefs {
  readonly wanted: ReadonlySet<string>;
  /** Only refs whose full name begins with one of them; absent is all. */
  readonly prefixes: readonly string[] | undefined;
}

export class Advertisement {
  constructor(
    private readonly advertiseRefs: AdvertiseRefs,
    private readonly agent: string,
  ) {}

  forPush(project: AdvertisedProject | undefined): AsyncGenerator<Buffer> {
    const refs = this.#withoutHead(project);
    return joined(versions0And1(refs, () => `${PUSH_CAPABILITIES} agent=${this.agent}`, 0));
  }

  forFetch(project: AdvertisedProject, version: 0 | 1): AsyncGenerator<Buffer> {
    const capabilities = (first: Advertised | undefined): string => {
      const symref = first?.symrefTarget === undefined ? '' : ` symref=HEAD:${first.symrefTarget}`;
      return `${FETCH_CAPABILITIES}${symref} agent=${this.agent}`;
    };
    return joined(versions0And1(this.advertiseRefs.execute(project), capabilities, version));
  }

  /** Version 2 tells what it can do, and refs when asked for them. */
  capabilities(): Buffer {
    const [version = '', ...rest] = VERSION_2;
    return Buffer.concat([
      ...[version, `agent=${this.agent}`, ...rest].map((line) => packet(`${line}\n`)),
      Buffer.from(FLUSH),
    ]);
  }

  /** What `ls-refs` of version 2 asks for. */
  async readAsked(request: ByteReader): Promise<AskedRefs> {
    const asked = await readLines(request);
    const prefixes = asked.flatMap((line) =>
      // No ref holds NUL, and not every database takes it. Prefixes are hints: leaving one out does no harm.
      line.startsWith('ref-prefix ') && !line.includes('\0') ? [line.slice('ref-prefix '.length)] : [],
    );
    const few = prefixes.length > 0 && prefixes.length <= MOST_PREFIXES ? prefixes : undefined;
    return { wanted: new Set(asked), prefixes: few };
  }

  /** Answers it. */
  lsRefs(project: AdvertisedProject, { wanted, prefixes }: AskedRefs): AsyncGenerator<Buffer> {
    return joined(this.#lines(project, wanted, prefixes));
  }

  async *#lines(
    project: AdvertisedProject,
    wanted: ReadonlySet<string>,
    prefixes: readonly string[] | undefined,
  ): AsyncGenerator<Buffer> {
    for await (const { name, target, peeled, symrefTarget } of this.advertiseRefs.execute(project, prefixes)) {
      if (target === null && !wanted.has('unborn')) continue;
      const symref =
        symrefTarget !== undefined && (wanted.has('symrefs') || target === null)
          ? ` symref-target:${symrefTarget}`
          : '';
      const peel = peeled !== null && wanted.has('peel') ? ` peeled:${peeled}` : '';
      yield packet(`${target ?? 'unborn'} ${name}${symref}${peel}\n`);
    }
    yield Buffer.from(FLUSH);
  }

  async *#withoutHead(project: AdvertisedProject | undefined): AsyncGenerator<Advertised> {
    if (project === undefined) return;
    for await (const ref of this.advertiseRefs.execute(project))
      if (ref.name !== 'HEAD') yield { ...ref, peeled: null };
  }
}

const readLines = async (request: ByteReader): Promise<string[]> => {
  const lines: string[] = [];
  for (
    let next = await readPacket(request);
    next !== undefined && next.kind !== 'flush';
    next = await readPacket(request)
  )
    if (next.kind === 'data' && lines.length < MOST_LINES) lines.push(textOf(next.payload));
  return lines;
};

import { LRUCache } from 'lru-cache';
import {
  TooLarge,
  type ByteStream,
  type Commit,
  type ObjectInfo,
  type ObjectReader,
  type StoredObject,
  type Tag,
} from '../../../application/repositories/ports/object-stores.js';
import { held } from '../../../domain/repositories/held-objects.js';
import { TreeDecoding, type TreeEntry } from '../../../domain/repositories/object-format.js';
import type { ObjectId, ObjectType } from '../../../domain/repositories/object-id.js';
import type { CatFilePool } from './cat-file-pool.js';
import { assertObjectId } from './command.js';
import { parseCommit, parseTag } from './commit-text.js';
import { streamOf, type Git } from './git.js';
import { KEPT_MS } from './kept-for.js';
import { bothNames } from './store-folders.js';

const MOST_IN_ONE_PIECE = 1024 * 1024;
/** A tree of 100,000 entries has a few megabytes. */
const MOST_OF_TREE = 8 * 1024 * 1024;
/** Room for any that can be read: else each look at one would read it anew. */
const TREES_KEPT_BYTES = 40 * 1024 * 1024;
const COMMITS_KEPT_BYTES = 16 * 1024 * 1024;
/** Of a commit that is kept: its parts, and two for each character, of which a few lines are there twice. */
const BYTES_OF_COMMIT = 1_024;
const BYTES_OF_CHARACTER = 4;
/** Objects of at most so many bytes are kept: most files that people read are smaller. */
const SMALL = 64 * 1024;
const SMALL_KEPT_BYTES = 16 * 1024 * 1024;
const BYTES_BESIDE_SMALL = 512;
/** A tag may lead to a tag; nobody means ten. */
const MOST_TAGS = 10;
const STREAM_MS = 600_000;
const PREFIX = /^[0-9a-f]{4,39}$/;

/** As much of a tree as is decoded before others have their turn. */
const DECODED_AT_ONCE = 256 * 1024;

const decoded = async (content: Uint8Array): Promise<readonly TreeEntry[]> => {
  const decoding = new TreeDecoding(content);
  while (decoding.goOn(DECODED_AT_ONCE)) await new Promise((resume) => setImmediate(resume));
  return decoding.entries;
};

/** @throws TooLarge. */
const within = <Found extends ObjectInfo>(found: Found, most: number): Found => {
  if (found.size > most) throw new TooLarge(found.size);
  return found;
};

/** Reads by living `cat-file` processes; what is large is streamed by a child of its own. */
export class GitObjectReader implements ObjectReader {
  /** By id, and immutable. A store's trees are asked for by ids that its refs lead to. */
  readonly #trees = new LRUCache<string, readonly TreeEntry[]>({
    maxSize: TREES_KEPT_BYTES,
    ttl: KEPT_MS,
    sizeCalculation: (entries) => 64 + entries.length * 128,
  });

  /** By the id that was asked for, which may be that of a tag. */
  readonly #commits = new LRUCache<string, Commit>({ maxSize: COMMITS_KEPT_BYTES, ttl: KEPT_MS });

  /** Small files and folders, and whatever small has just come, by id and immutable, too. */
  readonly #small = new LRUCache<string, StoredObject>({
    maxSize: SMALL_KEPT_BYTES,
    ttl: KEPT_MS,
    sizeCalculation: ({ content }) => BYTES_BESIDE_SMALL + content.length,
  });

  constructor(
    private readonly git: Git,
    private readonly pool: CatFilePool,
  ) {}

  async info(store: string, id: ObjectId): Promise<ObjectInfo | undefined> {
    const known = this.#small.get(`${store} ${id}`);
    if (known !== undefined) return { id, type: known.type, size: known.size };
    return (await this.pool.of(store)).info(id);
  }

  async read(store: string, id: ObjectId, most = MOST_IN_ONE_PIECE): Promise<StoredObject | undefined> {
    const key = `${store} ${id}`;
    const known = this.#small.get(key);
    if (known !== undefined) return within(known, most);
    const process = await this.pool.of(store);
    const info = await process.info(id);
    if (info === undefined) return undefined;
    const found = await process.contents(within(info, most).id);
    const isKept = found !== undefined && found.size <= SMALL && (found.type === 'blob' || found.type === 'tree');
    return isKept ? this.#keep(store, found) : found;
  }

  /** What has just come into a store is what is read next. */
  remember(store: string, objects: ReadonlyMap<ObjectId, { readonly type: ObjectType; readonly content: Uint8Array }>) {
    for (const [id, { type, content }] of objects)
      if (content.length <= SMALL) this.#keep(store, { id, type, content, size: content.length });
  }

  /** A copy: it came as a part of something larger. */
  #keep(store: string, object: StoredObject): StoredObject {
    const kept = { ...object, content: new Uint8Array(object.content) };
    this.#small.set(`${store} ${object.id}`, kept);
    return kept;
  }

  stream(store: string, id: ObjectId): Promise<ByteStream> {
    return this.#streamAs('blob', store, id);
  }

  async #streamAs(type: 'blob' | 'commit' | 'tag', store: string, id: ObjectId): Promise<ByteStream> {
    // As long as its reader takes.
    const give = await this.git.parts.heavy.take(store);
    try {
      const args = { fixed: ['cat-file', type], ids: [assertObjectId(id)] };
      const child = await this.git.start(store, args, { deadlineMs: STREAM_MS, yields: true });
      child.stdin.end();
      return streamOf(child, 'cat-file', give);
    } catch (error) {
      give();
      throw error;
    }
  }

  async commit(store: string, id: ObjectId): Promise<Commit | undefined> {
    const key = `${store} ${id}`;
    const known = this.#commits.get(key);
    if (known !== undefined) return known;
    const found = await this.#peeled(store, id);
    if (found?.type !== 'commit') return undefined;
    const commit = parseCommit(found.id, found.content);
    this.#commits.set(key, commit, { size: BYTES_OF_COMMIT + BYTES_OF_CHARACTER * found.content.length });
    return commit;
  }

  /** What a tag leads to, through other tags; anything else itself. */
  async #peeled(store: string, id: ObjectId): Promise<StoredObject | undefined> {
    for (let current = id, step = 0; step < MOST_TAGS; step += 1) {
      const found = await this.#beginning(store, current);
      if (found?.type !== 'tag') return found;
      current = parseTag(found.id, found.content).target;
    }
    return undefined;
  }

  /** A commit or tag, whose message may be longer than anybody reads: what lies beyond a mebibyte is left out. */
  async #beginning(store: string, id: ObjectId): Promise<StoredObject | undefined> {
    const info = await this.info(store, id);
    if (info === undefined || info.size <= MOST_IN_ONE_PIECE) return info && this.read(store, id);
    if (info.type !== 'commit' && info.type !== 'tag') return { ...info, content: new Uint8Array() };
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of await this.#streamAs(info.type, store, id)) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= MOST_IN_ONE_PIECE) break;
    }
    const begun = Buffer.concat(chunks).subarray(0, MOST_IN_ONE_PIECE);
    // At the end of a line, so that no character is cut in two.
    return { ...info, content: begun.subarray(0, begun.lastIndexOf('\n') + 1) };
  }

  async tag(store: string, id: ObjectId): Promise<Tag | undefined> {
    const found = await this.#beginning(store, id);
    return found?.type === 'tag' ? parseTag(found.id, found.content) : undefined;
  }

  async tree(store: string, id: ObjectId): Promise<readonly TreeEntry[] | undefined> {
    const key = `${store} ${id}`;
    const known = this.#trees.get(key);
    if (known !== undefined) return known;
    const found = await this.read(store, id, MOST_OF_TREE);
    if (found?.type === 'commit' || found?.type === 'tag') {
      const commit = await this.commit(store, id);
      return commit && this.tree(store, commit.tree);
    }
    if (found?.type !== 'tree') return undefined;
    const entries = await decoded(found.content);
    this.#trees.set(key, entries);
    return entries;
  }

  async entryAt(store: string, commitOrTree: ObjectId, path: string): Promise<TreeEntry | undefined> {
    const names = path.split('/').filter((name) => name !== '');
    let entry: TreeEntry | undefined = {
      mode: '40000',
      name: new Uint8Array(),
      id: await this.#treeOf(store, commitOrTree),
    };
    for (const name of names) {
      if (entry.mode !== '40000') return undefined;
      const wanted = Buffer.from(name);
      const entries: readonly TreeEntry[] = held(await this.tree(store, entry.id), entry.id);
      entry = entries.find((each) => wanted.equals(each.name));
      if (entry === undefined) return undefined;
    }
    return entry;
  }

  async expand(store: string, prefix: string): Promise<ObjectId | undefined> {
    if (!PREFIX.test(prefix)) return undefined;
    const { bytes } = await this.git.run(store, { fixed: ['rev-parse', `--disambiguate=${prefix}`] }, { codes: [128] });
    const ids = bytes
      .toString('latin1')
      .split('\n')
      .filter((line) => line !== '');
    const commits: ObjectId[] = [];
    for (const id of ids.slice(0, 100)) if ((await this.info(store, id))?.type === 'commit') commits.push(id);
    return commits.length === 1 ? commits[0] : undefined;
  }

  both(store: string, other: string): string {
    return bothNames(store, other);
  }

  async #treeOf(store: string, id: ObjectId): Promise<ObjectId> {
    const key = `${store} ${id}`;
    if (this.#trees.has(key)) return id;
    const commit = this.#commits.get(key);
    if (commit !== undefined) return commit.tree;
    const info = await this.info(store, id);
    if (info?.type === 'tree') return id;
    return held(await this.commit(store, id), id).tree;
  }
}

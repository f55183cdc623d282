import { join } from 'node:path';
import type {
  Draft,
  ExaminedTip,
  ObjectInfo,
  StoredObject,
} from '../../../application/repositories/ports/object-stores.js';
import type { NewObject } from '../../../domain/repositories/object-format.js';
import type { ObjectId } from '../../../domain/repositories/object-id.js';
import { Unavailable } from '../../../domain/shared/domain-error.js';
import type { CatFilePool } from './cat-file-pool.js';
import type { GitObjectReader } from './git-object-reader.js';
import type { Git } from './git.js';
import { Quarantine } from './quarantine.js';
import { idOf, type HeldObject } from './small-pack.js';
import { examineTip, stepsBetween, stepsToRoot, type StagedReader } from './staged-reading.js';
import { writePack } from './write-pack.js';

/** Beyond them objects wait in files. */
const MOST_HELD_BYTES = 1024 * 1024;
const MOST_HELD = 200;

export interface StagedPlace {
  readonly git: Git;
  readonly pool: CatFilePool;
  readonly objects: Pick<GitObjectReader, 'remember'>;
  readonly store: string;
}

export interface CheckedObjects {
  readonly objects: ReadonlyMap<ObjectId, HeldObject>;
  /** Everything that these need is there. */
  readonly tips: readonly ObjectId[];
}

/**
 * A few objects that wait in memory until they become a pack of the store. Where they are many, or git has to walk through them, they go into
 * a quarantine, which answers from then on.
 */
export class StagedObjects implements Draft {
  readonly #objects: Map<ObjectId, HeldObject>;
  readonly #whole: ReadonlySet<ObjectId>;
  #bytes = 0;
  #opening: Promise<Quarantine> | undefined;
  #quarantine: Quarantine | undefined;

  constructor(
    private readonly place: StagedPlace,
    { objects, tips }: CheckedObjects = { objects: new Map(), tips: [] },
  ) {
    this.#objects = new Map(objects);
    this.#whole = new Set(tips);
    for (const { content } of objects.values()) this.#bytes += content.length;
  }

  get size(): number {
    return this.#quarantine?.size ?? this.#bytes;
  }

  async add({ type, content }: NewObject): Promise<ObjectId> {
    if (this.#opening !== undefined) return (await this.#opening).add({ type, content });
    const id = idOf(type, content);
    if (this.#objects.has(id)) return id;
    this.#objects.set(id, { type, content: Buffer.from(content) });
    this.#bytes += content.length;
    if (this.#bytes > MOST_HELD_BYTES || this.#objects.size > MOST_HELD) await this.#inFiles();
    return id;
  }

  async connected(tips: readonly ObjectId[], refsFollow: () => Promise<void>): Promise<boolean> {
    return tips.every((tip) => this.#whole.has(tip)) || (await this.#inFiles()).connected(tips, refsFollow);
  }

  async examine(id: ObjectId): Promise<ExaminedTip | undefined> {
    return this.#opening === undefined ? examineTip(this.#reader, id) : (await this.#opening).examine(id);
  }

  async distance(one: ObjectId, other: ObjectId): Promise<{ readonly ahead: number; readonly behind: number }> {
    const steps = this.#opening === undefined ? await stepsBetween(this.#reader, one, other) : undefined;
    return steps === undefined ? (await this.#inFiles()).distance(one, other) : { ahead: 0, behind: steps };
  }

  async count(tip: ObjectId, not: readonly ObjectId[]): Promise<number> {
    const steps = this.#opening === undefined && not.length < 2 ? await this.#steps(tip, not[0]) : undefined;
    return steps ?? (await this.#inFiles()).count(tip, not);
  }

  #steps(tip: ObjectId, base: ObjectId | undefined): Promise<number | undefined> {
    return base === undefined ? stepsToRoot(this.#reader, tip) : stepsBetween(this.#reader, base, tip);
  }

  async keep(): Promise<void> {
    if (this.#opening !== undefined) return (await this.#opening).keep();
    if (this.#objects.size === 0) return;
    const { git, objects, store } = this.place;
    try {
      await writePack(join(git.folders.of(store), 'objects', 'pack'), this.#objects);
    } catch (error) {
      throw new Unavailable('repositories', { cause: error });
    }
    objects.remember(store, this.#objects);
  }

  async settle(): Promise<void> {
    await (await this.#opening?.catch(() => undefined))?.settle();
  }

  /** Both what arrived and what is there. */
  readonly #reader: StagedReader = {
    info: async (id: ObjectId): Promise<ObjectInfo | undefined> => {
      const held = this.#objects.get(id);
      if (held !== undefined) return { id, type: held.type, size: held.content.length };
      return (await this.place.pool.of(this.place.store)).info(id);
    },
    contents: async (id: ObjectId): Promise<StoredObject | undefined> => {
      const held = this.#objects.get(id);
      if (held !== undefined) return { id, type: held.type, size: held.content.length, content: held.content };
      return (await this.place.pool.of(this.place.store)).contents(id);
    },
  };

  #inFiles(): Promise<Quarantine> {
    this.#opening ??= this.#open();
    return this.#opening;
  }

  async #open(): Promise<Quarantine> {
    const { git, store } = this.place;
    try {
      this.#quarantine = await Quarantine.open(git, store);
    } catch (error) {
      throw new Unavailable('repositories', { cause: error });
    }
    for (const { type, content } of this.#objects.values()) await this.#quarantine.add({ type, content });
    this.#objects.clear();
    return this.#quarantine;
  }
}

import {
  ObjectsRefused,
  TooLarge,
  type ByteStream,
  type Draft,
  type ObjectIntake,
  type PushedOnto,
} from '../../../application/repositories/ports/object-stores.js';
import { Unavailable } from '../../../domain/shared/domain-error.js';
import type { ObjectId } from '../../../domain/repositories/object-id.js';
import type { CatFile } from './cat-file.js';
import type { CatFilePool } from './cat-file-pool.js';
import { FSCK_LEVELS } from './command.js';
import type { GitObjectReader } from './git-object-reader.js';
import { feedStream, leftWithoutMemory, type Git } from './git.js';
import { checkPlainPush, type PushedStore } from './plain-push.js';
import { Quarantine } from './quarantine.js';
import { readBeginning } from './pack-beginning.js';
import type { Ending } from './runner/runner.js';
import { LeftToGit, readSmallPack, type HeldObject } from './small-pack.js';
import { StagedObjects, type CheckedObjects } from './staged-objects.js';

const PUSH_MS = 3_600_000;
/** What a person pushes in a day's work is smaller. */
const MOST_OF_SMALL = 64 * 1024;

/** What git says of a pack, without what only operators may know: folders of the machine. */
const reasonOf = ({ errors }: Ending): string => {
  const line = errors
    .split('\n')
    .map((each) => each.replace(/^(?:fatal|error): /, '').trim())
    .find((each) => each !== '' && !each.includes('/'));
  return line ?? 'The objects of the push could not be read.';
};

/**
 * Takes packs by `index-pack` into a quarantine, where every object is checked, and objects of ours by holding them. A small pack of objects
 * beyond doubt is read here: then no git is started.
 */
export class GitObjectIntake implements ObjectIntake {
  constructor(
    private readonly git: Git,
    private readonly pool: CatFilePool,
    private readonly objects: Pick<GitObjectReader, 'commit' | 'tree' | 'remember'>,
    /** Bytes of a pack. */
    private readonly pushLimit: number,
  ) {}

  async receive(store: string, pack: ByteStream | undefined, onto?: PushedOnto): Promise<Draft> {
    if (pack === undefined) return this.#stage(store);
    if (onto === undefined) return this.#receiveByGit(store, pack);
    const { whole, again } = await readBeginning(pack, Math.min(MOST_OF_SMALL, this.pushLimit));
    const small = whole === undefined ? undefined : await this.#readPlain(store, whole, onto);
    return small ?? this.#receiveByGit(store, again);
  }

  draft(store: string): Promise<Draft> {
    return Promise.resolve(this.#stage(store));
  }

  #stage(store: string, checked?: CheckedObjects): StagedObjects {
    return new StagedObjects({ git: this.git, pool: this.pool, objects: this.objects, store }, checked);
  }

  /** Undefined for what git is to look at. */
  async #readPlain(store: string, pack: Buffer, onto: PushedOnto): Promise<Draft | undefined> {
    const known = await this.pool.of(store);
    try {
      const objects = await readSmallPack(pack, async (id, mostBytes) => {
        const { size = Infinity } = (await known.info(id)) ?? {};
        const found = size > mostBytes ? undefined : await known.contents(id);
        return found && { type: found.type, content: Buffer.from(found.content) };
      });
      const place: PushedStore = {
        commitTree: async (id) => (await this.objects.commit(store, id))?.tree,
        tree: (id) => this.objects.tree(store, id),
      };
      await Promise.all([checkPlainPush(objects, place, onto), requireNoOther(known, objects)]);
      return this.#stage(store, { objects, tips: onto.tips });
    } catch (error) {
      if (error instanceof LeftToGit || error instanceof TooLarge) return undefined;
      throw error;
    }
  }

  async #receiveByGit(store: string, pack: ByteStream): Promise<Draft> {
    const quarantine = await this.#open(store);
    try {
      await this.git.parts.heavy.during(store, () => this.#index(store, quarantine, pack));
      await quarantine.takePack();
      return quarantine;
    } catch (error) {
      await quarantine.settle();
      throw error;
    }
  }

  async #open(store: string): Promise<Quarantine> {
    try {
      return await Quarantine.open(this.git, store);
    } catch (error) {
      throw new Unavailable('repositories', { cause: error });
    }
  }

  async #index(store: string, quarantine: Quarantine, pack: ByteStream): Promise<void> {
    const fixed = [
      'index-pack',
      '--stdin',
      '--fix-thin',
      `--strict=${FSCK_LEVELS}`,
      `--max-input-size=${this.pushLimit}`,
    ];
    const child = await this.git.start(
      store,
      { fixed },
      { quarantine: quarantine.folder, deadlineMs: PUSH_MS, yields: true, ofPacks: true },
    );
    child.stdout.resume();
    // While git still works on what came.
    const fed = feedStream(child, pack).then(() => quarantine.warmUp());
    fed.catch(() => undefined);
    try {
      // A client over SSH may wait for the answer with its end still open.
      await Promise.race([fed, child.ended]);
    } catch (error) {
      // The client is gone, or sent what is no stream: the child must not wait for the rest.
      child.kill();
      child.stdin.destroy();
      await child.ended;
      throw error;
    }
    const ending = await child.ended;
    if (ending.code === 0) return;
    if (ending.code === null) throw new Unavailable('repositories', { cause: new Error(ending.errors) });
    if (/No space left|Disk quota|Read-only file system|Input\/output error/.test(ending.errors))
      throw new Unavailable('repositories', { cause: new Error(ending.errors) });
    if (ending.errors.includes('maximum allowed size'))
      throw new ObjectsRefused(`The push is larger than ${this.pushLimit} bytes, which is the limit here.`);
    if (leftWithoutMemory(ending)) throw new ObjectsRefused('An object of the push takes too much memory.');
    throw new ObjectsRefused(reasonOf(ending));
  }
}

/** An object that is there already must be the same: git tells what it thinks of another of its id. */
const requireNoOther = async (known: CatFile, objects: ReadonlyMap<ObjectId, HeldObject>): Promise<void> => {
  const found = await Promise.all([...objects.keys()].map((id) => known.info(id)));
  const there = found.flatMap((info) => info ?? []);
  for (const { id } of there) {
    const held = objects.get(id);
    const stored = await known.contents(id);
    if (held === undefined || stored?.type !== held.type || !held.content.equals(stored.content))
      throw new LeftToGit('Another object of its id.');
  }
};

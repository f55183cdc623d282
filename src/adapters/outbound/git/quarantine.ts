import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readPackIds, takeBorrowed } from './borrowed-objects.js';
import { CatFile } from './cat-file.js';
import { assertObjectId } from './command.js';
import { randomName, syncFolder } from './durable-files.js';
import type { Git } from './git.js';
import { moveLooseObjects, writeLooseObject } from './loose-objects.js';
import { movePack, packNamesIn } from './pack-files.js';
import { examineTip, stepsBetween } from './staged-reading.js';
import type { Draft, ExaminedTip } from '../../../application/repositories/ports/object-stores.js';
import type { NewObject } from '../../../domain/repositories/object-format.js';
import type { ObjectId } from '../../../domain/repositories/object-id.js';
import { Unavailable } from '../../../domain/shared/domain-error.js';

export const INCOMING = 'incoming-';
const WALK_MS = 600_000;
/** The longest that a push takes. */
const READER_MS = 3_600_000;
/** A pack without objects: its header and its checksum. */
const EMPTY_PACK_BYTES = 32;

/** A folder of objects that nobody sees but who made it, with the store to read from. */
export class Quarantine implements Draft {
  size = 0;
  readonly #packs: string[] = [];
  /** Names of the packs in the store. */
  readonly #kept: string[] = [];
  readonly #added = new Set<ObjectId>();
  #reader: Promise<CatFile> | undefined;
  #settled = false;

  private constructor(
    private readonly git: Git,
    private readonly store: string,
    readonly folder: string,
  ) {}

  static async open(git: Git, store: string): Promise<Quarantine> {
    const folder = join(git.folders.of(store), 'objects', randomName(INCOMING));
    // Not the folders above it: where these are gone, so is the project.
    await mkdir(folder);
    await mkdir(join(folder, 'pack'));
    return new Quarantine(git, store, folder);
  }

  /** Finds the pack that git wrote; one without objects is dropped. */
  async takePack(): Promise<void> {
    const folder = join(this.folder, 'pack');
    for (const name of await packNamesIn(folder)) {
      if (this.#packs.includes(name)) continue;
      const { size } = await stat(join(folder, `${name}.pack`));
      if (size <= EMPTY_PACK_BYTES) continue;
      this.size += size;
      this.#packs.push(name);
      // From now on: git leaves it alone here, and maintenance where it is moved to.
      await writeFile(join(folder, `${name}.keep`), 'pushed\n', { mode: 0o644 });
    }
  }

  async add(object: NewObject): Promise<ObjectId> {
    try {
      const id = await writeLooseObject(this.folder, object, 'later');
      this.size += object.content.length;
      this.#added.add(id);
      return id;
    } catch (error) {
      throw new Unavailable('repositories', { cause: error });
    }
  }

  async connected(tips: readonly ObjectId[], refsFollow: () => Promise<void>): Promise<boolean> {
    if (tips.length === 0) return true;
    await refsFollow();
    const borrower = { store: this.store, folder: this.folder, owned: await this.#owned(), deadlineMs: WALK_MS };
    const whole = await this.git.parts.light.during(this.store, () => takeBorrowed(this.git, borrower, tips));
    if (whole) await this.takePack();
    return whole;
  }

  async examine(id: ObjectId): Promise<ExaminedTip | undefined> {
    return examineTip(await this.#read(), id);
  }

  async distance(one: ObjectId, other: ObjectId): Promise<{ readonly ahead: number; readonly behind: number }> {
    const steps = await stepsBetween(await this.#read(), one, other);
    if (steps !== undefined) return { ahead: 0, behind: steps };
    const range = `${assertObjectId(one)}...${assertObjectId(other)}`;
    const { bytes } = await this.#walk({ fixed: ['rev-list', '--left-right', '--count'], ids: [range] });
    const [ahead = 0, behind = 0] = bytes.toString('latin1').trim().split('\t').map(Number);
    return { ahead, behind };
  }

  async count(tip: ObjectId, not: readonly ObjectId[]): Promise<number> {
    const [base] = not;
    const steps = base === undefined || not.length > 1 ? undefined : await stepsBetween(await this.#read(), base, tip);
    if (steps !== undefined) return steps;
    const ids = [assertObjectId(tip), ...not.map((id) => `^${assertObjectId(id)}`)];
    const { bytes } = await this.#walk({ fixed: ['rev-list', '--count'], ids });
    return Number(bytes.toString('latin1').trim());
  }

  async keep(): Promise<void> {
    await this.#closeReader();
    try {
      await this.#move();
    } catch (error) {
      throw new Unavailable('repositories', { cause: error });
    }
  }

  async #move(): Promise<void> {
    const objects = join(this.git.folders.of(this.store), 'objects');
    const target = join(objects, 'pack');
    for (const pack of this.#packs) this.#kept.push(await movePack(join(this.folder, 'pack'), pack, target));
    if (this.#packs.length > 0) await syncFolder(target);
    await moveLooseObjects(this.folder, objects);
  }

  async settle(): Promise<void> {
    this.#settled = true;
    await this.#closeReader();
    await rm(this.folder, { recursive: true, force: true });
    const target = join(this.git.folders.of(this.store), 'objects', 'pack');
    for (const pack of this.#kept) await rm(join(target, `${pack}.keep`), { force: true });
  }

  /** What came, or was written: the rest of what it needs is the store's. */
  async #owned(): Promise<ReadonlySet<ObjectId>> {
    const owned = new Set(this.#added);
    for (const pack of this.#packs)
      for (const id of await readPackIds(join(this.folder, 'pack', `${pack}.idx`))) owned.add(id);
    return owned;
  }

  /** Lets what reads it start, for it will be asked soon. Not where it has ended already: a pack may be refused before all of it is read. */
  warmUp(): void {
    if (!this.#settled) this.#read().catch(() => undefined);
  }

  #walk(args: { readonly fixed: readonly string[]; readonly ids: readonly string[] }) {
    return this.git.run(this.store, args, { quarantine: this.folder, deadlineMs: WALK_MS });
  }

  #read(): Promise<CatFile> {
    this.#reader ??= this.git
      .start(
        this.store,
        { fixed: ['cat-file', '--batch-command', '--buffer'] },
        { quarantine: this.folder, deadlineMs: READER_MS },
      )
      .then((child) => new CatFile(child));
    return this.#reader;
  }

  async #closeReader(): Promise<void> {
    const reader = await this.#reader?.catch(() => undefined);
    this.#reader = undefined;
    reader?.close();
  }
}

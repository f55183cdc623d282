import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CatFile } from './cat-file.js';
import { assertObjectId } from './command.js';
import { parseCommit, parseTag } from './commit-text.js';
import { randomName, syncFolder } from './durable-files.js';
import type { Git } from './git.js';
import { moveLooseObjects, writeLooseObject } from './loose-objects.js';
import type { Draft, ExaminedTip } from '../../../application/repositories/ports/object-stores.js';
import type { NewObject } from '../../../domain/repositories/object-format.js';
import type { ObjectId } from '../../../domain/repositories/object-id.js';
import { Unavailable } from '../../../domain/shared/domain-error.js';

export const INCOMING = 'incoming-';
const WALK_MS = 600_000;
const MOST_TAGS = 10;
const MOST_OF_COMMIT = 1024 * 1024;
/** In which order the files of a pack become visible: the index last, for git finds packs by it. */
const PACK_PARTS = ['.pack', '.rev', '.idx'] as const;
/** A pack without objects: its header and its checksum. */
const EMPTY_PACK_BYTES = 32;

/** A folder of objects that nobody sees but who made it, with the store to read from. */
export class Quarantine implements Draft {
  size = 0;
  #packs: readonly string[] = [];
  #reader: Promise<CatFile> | undefined;

  private constructor(
    private readonly git: Git,
    private readonly store: string,
    readonly folder: string,
  ) {}

  static async open(git: Git, store: string): Promise<Quarantine> {
    const folder = join(git.folders.of(store), 'objects', randomName(INCOMING));
    await mkdir(join(folder, 'pack'), { recursive: true });
    return new Quarantine(git, store, folder);
  }

  /** Finds the pack that git wrote; one without objects is dropped. */
  async takePack(): Promise<void> {
    const folder = join(this.folder, 'pack');
    const names = (await readdir(folder)).filter((name) => name.endsWith('.pack')).map((name) => name.slice(0, -5));
    const kept: string[] = [];
    for (const name of names) {
      const { size } = await stat(join(folder, `${name}.pack`));
      if (size <= EMPTY_PACK_BYTES) continue;
      this.size += size;
      kept.push(name);
    }
    this.#packs = kept;
  }

  async add(object: NewObject): Promise<ObjectId> {
    try {
      const id = await writeLooseObject(this.folder, object);
      this.size += object.content.length;
      return id;
    } catch (error) {
      throw new Unavailable('repositories', { cause: error });
    }
  }

  async connected(tips: readonly ObjectId[]): Promise<boolean> {
    if (tips.length === 0) return true;
    const lines = tips.map((tip) => `${assertObjectId(tip)}\n`);
    const { code } = await this.git.run(
      this.store,
      { fixed: ['rev-list', '--objects', '--stdin', '--not', '--all', '--quiet'] },
      { quarantine: this.folder, deadlineMs: WALK_MS, input: [lines.join('')], codes: [1, 128] },
    );
    return code === 0;
  }

  async examine(id: ObjectId): Promise<ExaminedTip | undefined> {
    const reader = await this.#read();
    const info = await reader.info(id);
    if (info === undefined) return undefined;
    let [current, type] = [id, info.type];
    for (let step = 0; type === 'tag' && step < MOST_TAGS; step += 1) {
      const found = await reader.contents(current);
      if (found === undefined) return undefined;
      ({ target: current, targetType: type } = parseTag(current, found.content));
    }
    const peeled = current === id ? null : current;
    const { size } = (await reader.info(current)) ?? {};
    if (size === undefined) return undefined;
    if (type !== 'commit' || size > MOST_OF_COMMIT) return { type: info.type, peeled, committedAt: null, title: null };
    const found = await reader.contents(current);
    if (found === undefined) return undefined;
    const { committer, message } = parseCommit(current, found.content);
    const [title = ''] = message.trimStart().split('\n');
    return { type: info.type, peeled, committedAt: new Date(committer.at), title };
  }

  async distance(one: ObjectId, other: ObjectId): Promise<{ readonly ahead: number; readonly behind: number }> {
    const range = `${assertObjectId(one)}...${assertObjectId(other)}`;
    const { bytes } = await this.#walk({ fixed: ['rev-list', '--left-right', '--count'], ids: [range] });
    const [ahead = 0, behind = 0] = bytes.toString('latin1').trim().split('\t').map(Number);
    return { ahead, behind };
  }

  async count(tip: ObjectId, not: readonly ObjectId[]): Promise<number> {
    const ids = [assertObjectId(tip), ...not.map((id) => `^${assertObjectId(id)}`)];
    const { bytes } = await this.#walk({ fixed: ['rev-list', '--count'], ids });
    return Number(bytes.toString('latin1').trim());
  }

  async keep(): Promise<void> {
    await this.#closeReader();
    const objects = join(this.git.folders.of(this.store), 'objects');
    const target = join(objects, 'pack');
    for (const pack of this.#packs) {
      await writeFile(join(target, `${pack}.keep`), 'pushed\n', { mode: 0o644 });
      for (const part of PACK_PARTS) await this.#moveIfThere(`${pack}${part}`, target);
    }
    if (this.#packs.length > 0) await syncFolder(target);
    await moveLooseObjects(this.folder, objects);
  }

  async settle(): Promise<void> {
    await this.#closeReader();
    await rm(this.folder, { recursive: true, force: true });
    const target = join(this.git.folders.of(this.store), 'objects', 'pack');
    for (const pack of this.#packs) await rm(join(target, `${pack}.keep`), { force: true });
  }

  #walk(args: { readonly fixed: readonly string[]; readonly ids: readonly string[] }) {
    return this.git.run(this.store, args, { quarantine: this.folder, deadlineMs: WALK_MS });
  }

  async #moveIfThere(name: string, target: string): Promise<void> {
    const from = join(this.folder, 'pack', name);
    // Not every git writes a reverse index.
    if (name.endsWith('.rev') && (await stat(from).catch(() => undefined)) === undefined) return;
    await rename(from, join(target, name));
  }

  #read(): Promise<CatFile> {
    this.#reader ??= this.git
      .start(
        this.store,
        { fixed: ['cat-file', '--batch-command', '--buffer'] },
        { quarantine: this.folder, deadlineMs: WALK_MS },
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

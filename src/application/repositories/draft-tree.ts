import {
  FILE_EXISTS,
  FILE_MISSING,
  FOLDER_EXISTS,
  submoduleMissing,
  submoduleUnmoved,
  type FileAction,
} from '../../domain/repositories/file-action.js';
import { byteText, encodeTree, type TreeEntry, type TreeMode } from '../../domain/repositories/object-format.js';
import type { ObjectId } from '../../domain/repositories/object-id.js';
import { isHostileSubmoduleFile, isSubmoduleFile } from '../../domain/repositories/submodule-file.js';
import { treePathProblem } from '../../domain/repositories/tree-path.js';
import { NotPossible, NotPossibleWith } from '../../domain/shared/domain-error.js';
import type { Draft, ObjectReader } from './ports/object-stores.js';
import type { Repository } from './ports/repository-repositories.js';

const FOLDER: TreeMode = '40000';
const FILE: TreeMode = '100644';
const EXECUTABLE: TreeMode = '100755';
const LINK: TreeMode = '120000';
const SUBMODULE: TreeMode = '160000';

/** A folder that was read because something in it may change. */
interface Folder {
  readonly entries: Map<string, Entry>;
  changed: boolean;
}

interface Entry {
  readonly mode: TreeMode;
  readonly name: Uint8Array;
  /** Of a folder that was read: as it was before. */
  readonly id: ObjectId;
  readonly folder?: Folder;
}

interface Place {
  readonly folder: Folder;
  readonly name: Uint8Array;
  readonly key: string;
}

const utf8 = new TextEncoder();
/** The tree of a commit to come: it begins as that of another commit, reads the folders on its way, and writes those that changed. */
export class DraftTree {
  #root: Folder | undefined;

  constructor(
    private readonly objects: ObjectReader,
    private readonly repository: Pick<Repository, 'store'>,
    private readonly draft: Draft,
    /** The commit it begins with; null begins empty. */
    private readonly base: ObjectId | null,
  ) {}

  /** @throws NotPossible, saying why an action can't be done. */
  async apply(action: FileAction): Promise<void> {
    switch (action.kind) {
      case 'create':
        return this.#create(action.path, action.executable ? EXECUTABLE : FILE, action.content);
      case 'update':
        return this.#putContent(action.path, modeOf(await this.#file(action.path), action), action.content);
      case 'delete':
        return this.#remove(action.path);
      case 'move':
        return this.#move(action);
      case 'chmod': {
        const file = await this.#file(action.path);
        return this.#put(action.path, modeOf(file, action), file.id);
      }
      case 'submodule':
        return this.#leadTo(action.path, action.commit);
    }
  }

  /** Writes what changed, and answers the id of the whole. */
  async write(): Promise<ObjectId> {
    return (await this.#write(await this.#open())) ?? this.draft.add(encodeTree([]));
  }

  async #create(path: string, mode: TreeMode, content: Uint8Array): Promise<void> {
    await this.#requireFree(path);
    await this.#putContent(path, mode, content);
  }

  async #leadTo(path: string, commit: ObjectId): Promise<void> {
    const there = await this.#entry(path);
    if (there?.mode !== SUBMODULE) throw new NotPossible(submoduleMissing(path));
    if (there.id === commit) throw new NotPossible(submoduleUnmoved(path, commit));
    await this.#put(path, SUBMODULE, commit);
  }

  async #move({ path, previousPath, content }: Extract<FileAction, { kind: 'move' }>): Promise<void> {
    const { mode, id } = await this.#file(previousPath);
    await this.#remove(previousPath);
    await this.#requireFree(path);
    await (content === undefined ? this.#put(path, mode, id) : this.#putContent(path, mode, content));
  }

  async #putContent(path: string, mode: TreeMode, content: Uint8Array): Promise<void> {
    await this.#put(path, mode, await this.draft.add({ type: 'blob', content }), content);
  }

  async #requireFree(path: string): Promise<void> {
    const place = await this.#find(path, true);
    const there = place?.folder.entries.get(place.key);
    if (there === undefined || (there.folder !== undefined && isEmpty(there.folder))) return;
    throw new NotPossibleWith('path', there.mode === FOLDER ? FOLDER_EXISTS : FILE_EXISTS);
  }

  async #file(path: string): Promise<Entry> {
    const there = await this.#entry(path);
    if (there === undefined || there.mode === FOLDER || there.mode === SUBMODULE) throw new NotPossible(FILE_MISSING);
    return there;
  }

  async #entry(path: string): Promise<Entry | undefined> {
    const place = await this.#find(path, false);
    return place?.folder.entries.get(place.key);
  }

  async #put(path: string, mode: TreeMode, id: ObjectId, content?: Uint8Array): Promise<void> {
    if (isSubmoduleFile(path)) await this.#checkSubmodules(mode, id, content);
    const place = await this.#find(path, true);
    if (place === undefined) throw new NotPossibleWith('path', FILE_EXISTS);
    place.folder.entries.set(place.key, { mode, name: place.name, id });
    await this.#touch(path);
  }

  async #remove(path: string): Promise<void> {
    const place = await this.#find(path, false);
    const there = place?.folder.entries.get(place.key);
    if (there === undefined || there.mode === FOLDER) throw new NotPossible(FILE_MISSING);
    place?.folder.entries.delete(place.key);
    await this.#touch(path);
  }

  /** What `git fsck` refuses in a push is refused here. */
  async #checkSubmodules(mode: TreeMode, id: ObjectId, content?: Uint8Array): Promise<void> {
    const bytes = content ?? (await this.objects.read(this.repository.store, id))?.content;
    const isFile = mode === FILE || mode === EXECUTABLE;
    if (!isFile || bytes === undefined || isHostileSubmoduleFile(new TextDecoder().decode(bytes)))
      throw new NotPossible('The file .gitmodules has a name, path or address that git refuses');
  }

  /** Every folder above a path has changed with it. */
  async #touch(path: string): Promise<void> {
    let folder = await this.#open();
    folder.changed = true;
    for (const name of path.split('/').slice(0, -1)) {
      const below = folder.entries.get(byteText(utf8.encode(name)))?.folder;
      if (below === undefined) return;
      below.changed = true;
      folder = below;
    }
  }

  /** Undefined where a folder above it is missing; with `make` those are made. @throws NotPossible where one of them is a file. */
  async #find(path: string, make: boolean): Promise<Place | undefined> {
    const problem = treePathProblem(path);
    if (problem !== undefined) throw new NotPossibleWith('path', problem);
    const names = path.split('/').map((name) => utf8.encode(name));
    const name = names.pop()!;
    let folder = await this.#open();
    for (const above of names) {
      const next = await this.#below(folder, above, make);
      if (next === undefined) return undefined;
      folder = next;
    }
    return { folder, name, key: byteText(name) };
  }

  async #below(folder: Folder, name: Uint8Array, make: boolean): Promise<Folder | undefined> {
    const there = folder.entries.get(byteText(name));
    if (there?.folder !== undefined) return there.folder;
    if (there !== undefined && there.mode !== FOLDER) {
      if (make) throw new NotPossibleWith('path', FILE_EXISTS);
      return undefined;
    }
    if (there === undefined && !make) return undefined;
    const below =
      there === undefined ? { entries: new Map<string, Entry>(), changed: false } : await this.#read(there.id);
    folder.entries.set(byteText(name), { mode: FOLDER, name, id: there?.id ?? '', folder: below });
    return below;
  }

  async #open(): Promise<Folder> {
    this.#root ??= this.base === null ? { entries: new Map(), changed: true } : await this.#read(this.base);
    return this.#root;
  }

  async #read(id: ObjectId): Promise<Folder> {
    const entries = await this.objects.tree(this.repository.store, id);
    if (entries === undefined) throw new Error(`The tree ${id} is missing.`);
    return { entries: new Map(entries.map((entry) => [byteText(entry.name), entry])), changed: false };
  }

  /** Undefined for a folder that nothing is left in: git has none such. */
  async #write(folder: Folder): Promise<ObjectId | undefined> {
    const entries: TreeEntry[] = [];
    for (const { mode, name, id, folder: below } of folder.entries.values()) {
      const written = below === undefined || (!below.changed && id !== '') ? id : await this.#write(below);
      if (written !== undefined) entries.push({ mode, name, id: written });
    }
    return entries.length === 0 ? undefined : this.draft.add(encodeTree(entries));
  }
}

/** A link stays one: clients send back what they were told of it, which is that it can't be executed. */
const modeOf = ({ mode }: Entry, { executable }: { readonly executable?: boolean }): TreeMode =>
  executable === undefined || mode === LINK ? mode : executable ? EXECUTABLE : FILE;

/** A folder that other actions have emptied isn't there any more. */
const isEmpty = ({ entries }: Folder): boolean =>
  [...entries.values()].every(({ folder }) => folder !== undefined && isEmpty(folder));

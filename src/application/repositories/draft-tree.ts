import {
  FILE_EXISTS,
  FILE_MISSING,
  FOLDER_EXISTS,
  FOLDERS_TOO_LARGE,
  submoduleMissing,
  submoduleUnmoved,
  type FileAction,
} from '../../domain/repositories/file-action.js';
import { held } from '../../domain/repositories/held-objects.js';
import { encodeTree, type TreeMode } from '../../domain/repositories/object-format.js';
import type { ObjectId } from '../../domain/repositories/object-id.js';
import { isHostileSubmoduleFile, isSubmoduleFile } from '../../domain/repositories/submodule-file.js';
import { treePathProblem } from '../../domain/repositories/tree-path.js';
import { NotPossible, NotPossibleWith } from '../../domain/shared/domain-error.js';
import { DraftFolder, type DraftEntry } from './draft-folder.js';
import { TooLarge, type Draft, type ObjectReader } from './ports/object-stores.js';
import type { Repository } from './ports/repository-repositories.js';

const FOLDER: TreeMode = '40000';
const FILE: TreeMode = '100644';
const EXECUTABLE: TreeMode = '100755';
const LINK: TreeMode = '120000';
const SUBMODULE: TreeMode = '160000';

/** Of all folders that one commit opens: a folder of 100,000 files has a few megabytes. */
const MOST_OPENED_BYTES = 20 * 1024 * 1024;

interface Place {
  readonly folder: DraftFolder;
  readonly name: Uint8Array;
}

const utf8 = new TextEncoder();

/** The tree of a commit to come: it begins as that of another commit, reads the folders on its way, and writes those that changed. */
export class DraftTree {
  #root: DraftFolder | undefined;
  #left = MOST_OPENED_BYTES;

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

  /** Whether there is anything at a path. */
  async has(path: string): Promise<boolean> {
    return (await this.#entry(path)) !== undefined;
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
    const there = place?.folder.get(place.name);
    if (there === undefined || there.folder?.isEmpty() === true) return;
    throw new NotPossibleWith('path', there.mode === FOLDER ? FOLDER_EXISTS : FILE_EXISTS);
  }

  async #file(path: string): Promise<DraftEntry> {
    const there = await this.#entry(path);
    if (there === undefined || there.mode === FOLDER || there.mode === SUBMODULE) throw new NotPossible(FILE_MISSING);
    return there;
  }

  async #entry(path: string): Promise<DraftEntry | undefined> {
    const place = await this.#find(path, false);
    return place?.folder.get(place.name);
  }

  async #put(path: string, mode: TreeMode, id: ObjectId, content?: Uint8Array): Promise<void> {
    if (isSubmoduleFile(path)) await this.#checkSubmodules(mode, id, content);
    const place = await this.#find(path, true);
    if (place === undefined) throw new NotPossibleWith('path', FILE_EXISTS);
    place.folder.put({ mode, name: place.name, id });
    await this.#touch(path);
  }

  async #remove(path: string): Promise<void> {
    const place = await this.#find(path, false);
    const there = place?.folder.get(place.name);
    if (there === undefined || there.mode === FOLDER) throw new NotPossible(FILE_MISSING);
    place?.folder.remove(place.name);
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
    folder.touch();
    for (const name of path.split('/').slice(0, -1)) {
      const below = folder.get(utf8.encode(name))?.folder;
      if (below === undefined) return;
      below.touch();
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
    return { folder, name };
  }

  async #below(folder: DraftFolder, name: Uint8Array, make: boolean): Promise<DraftFolder | undefined> {
    const there = folder.get(name);
    if (there?.folder !== undefined) return there.folder;
    if (there !== undefined && there.mode !== FOLDER) {
      if (make) throw new NotPossibleWith('path', FILE_EXISTS);
      return undefined;
    }
    if (there === undefined && !make) return undefined;
    const below = there === undefined ? new DraftFolder() : await this.#read(there.id);
    folder.put({ mode: FOLDER, name, id: there?.id ?? '', folder: below });
    return below;
  }

  async #open(): Promise<DraftFolder> {
    this.#root ??= this.base === null ? new DraftFolder() : await this.#read(await this.#treeOf(this.base));
    return this.#root;
  }

  async #treeOf(commit: ObjectId): Promise<ObjectId> {
    return held(await this.objects.commit(this.repository.store, commit), commit).tree;
  }

  async #read(id: ObjectId): Promise<DraftFolder> {
    const { content } = held(await this.#stored(id), id);
    this.#left -= content.length;
    return DraftFolder.of(content);
  }

  async #stored(id: ObjectId) {
    try {
      return await this.objects.read(this.repository.store, id, this.#left);
    } catch (error) {
      throw error instanceof TooLarge ? new NotPossible(FOLDERS_TOO_LARGE) : error;
    }
  }

  /** Undefined for a folder that nothing is left in. */
  async #write(folder: DraftFolder): Promise<ObjectId | undefined> {
    const tree = await folder.encoded((below) => this.#write(below));
    return tree && this.draft.add(tree);
  }
}

/** A link stays one: clients send back what they were told of it, which is that it can't be executed. */
const modeOf = ({ mode }: DraftEntry, { executable }: { readonly executable?: boolean }): TreeMode =>
  executable === undefined || mode === LINK ? mode : executable ? EXECUTABLE : FILE;

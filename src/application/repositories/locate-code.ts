import { isObjectId } from '../../domain/repositories/object-id.js';
import { branchRef, refPartsOf, tagRef } from '../../domain/repositories/ref-name.js';
import type { Permitted } from '../shared/permitted.js';
import type { PermittedCode } from './browse/revisions.js';
import type { Commit, ObjectReader } from './ports/object-stores.js';
import type { RefReader } from './ports/ref-reader.js';
import type { Ref, Repository } from './ports/repository-repositories.js';

/** A version of the code: what people call it, and the commit that it is. */
export interface CodeVersion {
  readonly repository: Repository;
  readonly ref: { readonly kind: 'branch' | 'tag' | 'commit'; readonly name: string };
  readonly commit: Commit;
}

export interface CodePlace extends CodeVersion {
  /** A path in that version, which may lead nowhere; `''` is the top. */
  readonly path: string;
}

/** Names of refs hold at most 255 bytes, but nobody has as many folders. */
const MOST_PARTS = 32;
const PREFIX_OF_ID = /^[0-9a-f]{7,40}$/;

/** Finds what an address of code means, where the name of a ref and a path stand behind one another and both may hold slashes. */
export class LocateCode {
  constructor(
    private readonly refs: RefReader,
    private readonly objects: ObjectReader,
  ) {}

  /** Undefined while the project has no repository. */
  repository({ project }: PermittedCode): Promise<Repository | undefined> {
    return this.refs.findRepository(project.id);
  }

  /** The default branch; undefined while nothing was pushed to it. */
  async defaultVersion(permitted: Permitted<'read_code'>): Promise<CodeVersion | undefined> {
    const branch = permitted.project.defaultBranch;
    const found = branch === null ? undefined : await this.version(permitted, branchRef(branch));
    // A branch comes before a tag of its name.
    return found && branch !== null ? { ...found, ref: { kind: 'branch', name: branch } } : undefined;
  }

  /** @param name a branch, a tag, or (the beginning of) the id of a commit. */
  async version(permitted: Permitted<'read_code'>, name: string): Promise<CodeVersion | undefined> {
    const place = await this.place(permitted, name);
    return place?.path === '' ? place : undefined;
  }

  /** @param given a name as `version` takes it, and maybe a path behind it. The longest ref that is there is meant. */
  async place(permitted: Permitted<'read_code'>, given: string): Promise<CodePlace | undefined> {
    const repository = await this.repository(permitted);
    if (repository === undefined) return undefined;
    const parts = given.split('/').filter((part) => part !== '');
    const first = parts[0] ?? '';
    if (first === 'HEAD') {
      const main = await this.defaultVersion(permitted);
      return main && { ...main, path: parts.slice(1).join('/') };
    }
    // A whole id is that of its commit, whatever refs are called.
    const byWholeId = isObjectId(first) ? await this.#byId(repository, first, parts) : undefined;
    return byWholeId ?? (await this.#byRef(repository, parts)) ?? this.#byId(repository, first, parts);
  }

  async #byRef(repository: Repository, parts: readonly string[]): Promise<CodePlace | undefined> {
    const names = parts.slice(0, MOST_PARTS).map((_, index) => parts.slice(0, index + 1).join('/'));
    const wanted = names.flatMap((name) => [branchRef(name), tagRef(name), ...(refPartsOf(name) ? [name] : [])]);
    const found = new Map((await this.refs.findRefs(repository.id, wanted)).map((ref) => [ref.name, ref]));
    for (const name of names.toReversed()) {
      const [branch, tag] = [found.get(branchRef(name)), found.get(tagRef(name))];
      const ref = branch && tag ? await this.refs.resolve(repository.id, name) : (branch ?? tag ?? found.get(name));
      if (ref === undefined) continue;
      const version = await this.#ofRef(repository, ref, name);
      return version && { ...version, path: parts.slice(name.split('/').length).join('/') };
    }
    return undefined;
  }

  async #ofRef(repository: Repository, { name, target }: Ref, called: string): Promise<CodeVersion | undefined> {
    const commit = await this.objects.commit(repository.store, target);
    const kind = refPartsOf(name)?.kind ?? 'branch';
    return commit && { repository, ref: { kind, name: called }, commit };
  }

  async #byId(repository: Repository, text: string, parts: readonly string[]): Promise<CodePlace | undefined> {
    if (!PREFIX_OF_ID.test(text)) return undefined;
    const id = isObjectId(text) ? text : await this.objects.expand(repository.store, text);
    const commit = id === undefined ? undefined : await this.objects.commit(repository.store, id);
    if (commit === undefined) return undefined;
    return { repository, ref: { kind: 'commit', name: commit.id }, commit, path: parts.slice(1).join('/') };
  }
}

import { DEFAULT_BRANCH } from '../../../domain/repositories/default-branch.js';
import { isObjectId, type ObjectId } from '../../../domain/repositories/object-id.js';
import { branchRef } from '../../../domain/repositories/ref-name.js';
import type { Permitted } from '../../shared/permitted.js';
import type { Commit, ObjectReader, StoreKeeper, StoreName } from '../ports/object-stores.js';
import type { RefReader } from '../ports/ref-reader.js';
import type { Repository } from '../ports/repository-repositories.js';

/** Whoever may change code may read it. */
export type PermittedCode = Permitted<'read_code' | 'push_code'>;

/** A commit that somebody named. */
export interface Revision {
  readonly store: StoreName;
  readonly repositoryId: number;
  /** As it was named; the default branch where it was not. */
  readonly name: string;
  readonly commit: Commit;
}

/** Finds what people mean by a revision: a branch, a tag, `HEAD`, or the id of a commit, in full or its beginning. */
export class Revisions {
  constructor(
    private readonly refs: RefReader,
    private readonly objects: ObjectReader,
    private readonly keeper: StoreKeeper,
  ) {}

  /** Undefined for a project that nothing was pushed to. @throws Unavailable. */
  async repositoryOf({ project }: PermittedCode): Promise<Repository | undefined> {
    const repository = await this.refs.findRepository(project.id);
    if (repository !== undefined) await this.keeper.ready();
    return repository;
  }

  /** @param name absent for the default branch. @throws Unavailable. */
  async find(permitted: PermittedCode, name?: string): Promise<Revision | undefined> {
    const repository = await this.repositoryOf(permitted);
    return repository && this.findIn(repository, permitted, name);
  }

  async findIn(repository: Repository, { project }: PermittedCode, name?: string): Promise<Revision | undefined> {
    const { id, store } = repository;
    const main = project.defaultBranch ?? DEFAULT_BRANCH;
    const meant = name === undefined || name === 'HEAD' ? branchRef(main) : name;
    const target = (await this.refs.resolve(id, meant))?.target ?? (await this.#byId(store, meant.toLowerCase()));
    const commit = target === undefined ? undefined : await this.objects.commit(store, target);
    return commit && { store, repositoryId: id, name: name ?? main, commit };
  }

  async #byId(store: StoreName, text: string): Promise<ObjectId | undefined> {
    return isObjectId(text) ? text : this.objects.expand(store, text);
  }
}

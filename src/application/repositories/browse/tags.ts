import { isProtectedTag } from '../../../domain/repositories/protected-ref.js';
import { refPartsOf, tagRef } from '../../../domain/repositories/ref-name.js';
import type { ObjectId } from '../../../domain/repositories/object-id.js';
import type { Page, PageRequest, SortDirection } from '../../../domain/shared/page.js';
import type { Commit, ObjectReader, Tag } from '../ports/object-stores.js';
import type { RefReader } from '../ports/ref-reader.js';
import type { ProtectedRefRepository, Ref, Repository } from '../ports/repository-repositories.js';
import type { PermittedCode, Revisions } from './revisions.js';

export interface TagDetails {
  readonly name: string;
  /** What it leads to: the tag object of an annotated one. */
  readonly target: ObjectId;
  /** The tag object of an annotated one. */
  readonly annotation: Tag | null;
  /** Null where it leads to no commit. */
  readonly commit: Commit | null;
  readonly protected: boolean;
}

export interface TagQuery {
  readonly search?: string;
  readonly orderBy: 'name' | 'updated';
  readonly sort: SortDirection;
  readonly page: PageRequest;
}

interface Parts {
  readonly revisions: Revisions;
  readonly refs: RefReader;
  readonly objects: ObjectReader;
  readonly protectedRefs: Pick<ProtectedRefRepository, 'tagsOf'>;
}

const NONE: Page<never> = { items: [], total: 0, hasNext: false };

/** Reads tags with all that callers are told of them. */
export class Tags {
  constructor(private readonly parts: Parts) {}

  async list(permitted: PermittedCode, query: TagQuery): Promise<Page<TagDetails>> {
    const { revisions, refs } = this.parts;
    const repository = await revisions.repositoryOf(permitted);
    if (repository === undefined) return NONE;
    const page = await refs.list({ repositoryId: repository.id, kind: 'tag', ...query });
    return { ...page, items: await this.#detailsOf(repository, permitted, page.items) };
  }

  /** @param name without `refs/tags/`. */
  async find(permitted: PermittedCode, name: string): Promise<TagDetails | undefined> {
    const { revisions, refs } = this.parts;
    const repository = await revisions.repositoryOf(permitted);
    const ref = repository && (await refs.findRef(repository.id, tagRef(name)));
    return repository && ref && (await this.#detailsOf(repository, permitted, [ref]))[0];
  }

  async #detailsOf({ store }: Repository, { project }: PermittedCode, refs: readonly Ref[]): Promise<TagDetails[]> {
    const { objects, protectedRefs } = this.parts;
    const rules = await protectedRefs.tagsOf(project.id);
    return Promise.all(
      refs.map(async ({ name: fullName, target, peeled }) => {
        const name = refPartsOf(fullName)?.name ?? fullName;
        const annotation = peeled === null ? undefined : await objects.tag(store, target);
        const commit = await objects.commit(store, peeled ?? target);
        return {
          name,
          target,
          annotation: annotation ?? null,
          commit: commit ?? null,
          protected: isProtectedTag(name, rules),
        };
      }),
    );
  }
}

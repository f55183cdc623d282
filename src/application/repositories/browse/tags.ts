import { isProtectedTag } from '../../../domain/repositories/protected-ref.js';
import { refPartsOf, tagRef } from '../../../domain/repositories/ref-name.js';
import type { ObjectId } from '../../../domain/repositories/object-id.js';
import { madeOnce } from '../../../domain/shared/made-once.js';
import type { Page, PageRequest, SortDirection } from '../../../domain/shared/page.js';
import { isOpenAsWell } from '../../shared/is-open-as-well.js';
import { nothingInBatches, readFewAtATime, type PageInBatches } from '../../shared/page-in-batches.js';
import type { Commit, ObjectReader, Tag } from '../ports/object-stores.js';
import type { ReleaseReader } from '../ports/release-repository.js';
import type { RefReader } from '../ports/ref-reader.js';
import type { ProtectedRefRepository, Ref, Repository } from '../ports/repository-repositories.js';
import { isFound, selectRefs } from './selected-refs.js';
import { annotationOf, requireNoCommit, type PermittedCode, type Revisions } from './revisions.js';

export interface TagDetails {
  readonly name: string;
  /** What it leads to: the tag object of an annotated one. */
  readonly target: ObjectId;
  /** The tag object of an annotated one. */
  readonly annotation: Tag | null;
  /** Null where it leads to no commit. */
  readonly commit: Commit | null;
  readonly protected: boolean;
  /** What its release says; absent where it has none. */
  readonly release?: { readonly description: string | null };
}

export interface TagQuery {
  readonly search?: string;
  readonly orderBy: 'name' | 'updated' | 'version';
  readonly sort: SortDirection;
  readonly page: PageRequest;
}

interface Parts {
  readonly revisions: Revisions;
  readonly refs: RefReader;
  readonly objects: ObjectReader;
  readonly protectedRefs: Pick<ProtectedRefRepository, 'tagsOf'>;
  readonly releases: Pick<ReleaseReader, 'ofTags'>;
}

const byNumbers = madeOnce(() => new Intl.Collator('en', { numeric: true }));
/** `1.10` comes after `1.9`, and `1.0-rc1` before `1.0`. */
const compareVersions = (one: string, other: string): number => {
  const [[first = '', oneStage = ''], [second = '', otherStage = '']] = [one, other].map((name) =>
    name.split(/-(.*)/s),
  ) as [string[], string[]];
  if (first !== second) return byNumbers().compare(first, second);
  if (oneStage === '' || otherStage === '') return otherStage.length - oneStage.length;
  return byNumbers().compare(oneStage, otherStage);
};

const NO_RELEASES: ReadonlyMap<string, string | null> = new Map();

/** Reads tags with all that callers are told of them. */
export class Tags {
  constructor(private readonly parts: Parts) {}

  async list(permitted: PermittedCode, query: TagQuery): Promise<PageInBatches<TagDetails>> {
    const { revisions, refs } = this.parts;
    const repository = await revisions.repositoryOf(permitted);
    if (repository === undefined) return nothingInBatches();
    const { orderBy } = query;
    const { items, ...page } =
      orderBy === 'version'
        ? await this.#byVersion(repository.id, query)
        : await refs.list({ repositoryId: repository.id, kind: 'tag', ...query, orderBy });
    return { ...page, batches: readFewAtATime(items, (some) => this.#detailsOf(repository, permitted, some)) };
  }

  /** @param name without `refs/tags/`. */
  async find(permitted: PermittedCode, name: string): Promise<TagDetails | undefined> {
    const { revisions, refs } = this.parts;
    const repository = await revisions.repositoryOf(permitted);
    const ref = repository && (await refs.findRef(repository.id, tagRef(name)));
    return repository && ref && (await this.#detailsOf(repository, permitted, [ref]))[0];
  }

  #byVersion(repositoryId: number, { search = '', sort, page }: TagQuery): Promise<Page<Ref>> {
    const sign = sort === 'asc' ? 1 : -1;
    return selectRefs(this.parts.refs, {
      repositoryId,
      folder: tagRef(''),
      isMeant: (name) => isFound(name, search),
      compare: (one, other) => sign * compareVersions(one.name, other.name),
      page,
    });
  }

  async #detailsOf({ store }: Repository, permitted: PermittedCode, refs: readonly Ref[]): Promise<TagDetails[]> {
    const { objects, protectedRefs } = this.parts;
    const { project } = permitted;
    const rules = await protectedRefs.tagsOf(project.id);
    const names = refs.map(({ name }) => refPartsOf(name)?.name ?? name);
    const showsReleases = isOpenAsWell(permitted, 'read_releases');
    const releases = showsReleases ? await this.parts.releases.ofTags(project.id, names) : NO_RELEASES;
    return Promise.all(
      refs.map(async (ref) => {
        const { name: fullName, target, peeled } = ref;
        const name = refPartsOf(fullName)?.name ?? fullName;
        const annotation = await annotationOf(objects, store, ref);
        const commit = await objects.commit(store, peeled ?? target);
        if (commit === undefined) requireNoCommit(ref);
        return {
          name,
          target,
          annotation: annotation ?? null,
          commit: commit ?? null,
          protected: isProtectedTag(name, rules),
          ...(releases.has(name) ? { release: { description: releases.get(name) ?? null } } : {}),
        };
      }),
    );
  }
}

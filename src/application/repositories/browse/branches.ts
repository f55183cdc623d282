import { branchRights, type ProtectedBranch, type RefChanger } from '../../../domain/repositories/protected-ref.js';
import { PatternInvalid, RefPattern } from '../../../domain/repositories/ref-pattern.js';
import { branchRef, refPartsOf } from '../../../domain/repositories/ref-name.js';
import { UnknownValue } from '../../../domain/shared/domain-error.js';
import type { Page, PageRequest, SortDirection } from '../../../domain/shared/page.js';
import type { Commit, HistoryReader, ObjectReader } from '../ports/object-stores.js';
import type { RefReader } from '../ports/ref-reader.js';
import type { ProtectedRefRepository, Ref, Repository } from '../ports/repository-repositories.js';
import { isFound, selectRefs } from './selected-refs.js';
import { requireNoCommit, type PermittedCode, type Revisions } from './revisions.js';

export interface BranchDetails {
  readonly name: string;
  readonly commit: Commit;
  /** Everything in it has reached the default branch, which has more by now. */
  readonly merged: boolean;
  readonly protected: boolean;
  /** Whether a protection says that developers may. */
  readonly developersCanPush: boolean;
  readonly developersCanMerge: boolean;
  /** Whether the caller may. */
  readonly canPush: boolean;
  readonly default: boolean;
}

export interface BranchQuery {
  readonly search?: string;
  /** A regular expression that some part of the name fits. */
  readonly regex?: string;
  readonly orderBy: 'name' | 'updated';
  readonly sort: SortDirection;
  readonly page: PageRequest;
}

interface Parts {
  readonly revisions: Revisions;
  readonly refs: RefReader;
  readonly objects: ObjectReader;
  readonly history: HistoryReader;
  readonly protectedRefs: Pick<ProtectedRefRepository, 'branchesOf'>;
}

const DEVELOPER = 30;
const NONE: Page<never> = { items: [], total: 0, hasNext: false };

/** Reads branches with all that callers are told of them. */
export class Branches {
  constructor(private readonly parts: Parts) {}

  async list(permitted: PermittedCode, changer: RefChanger, query: BranchQuery): Promise<Page<BranchDetails>> {
    const { revisions, refs } = this.parts;
    const repository = await revisions.repositoryOf(permitted);
    if (repository === undefined) return NONE;
    const page =
      query.regex === undefined
        ? await refs.list({ repositoryId: repository.id, kind: 'branch', ...query })
        : await this.#matching(repository.id, query.regex, query);
    return { ...page, items: await this.#detailsOf(repository, permitted, changer, page.items) };
  }

  /** @param name without `refs/heads/`. */
  async find(permitted: PermittedCode, changer: RefChanger, name: string): Promise<BranchDetails | undefined> {
    const { revisions, refs } = this.parts;
    const repository = await revisions.repositoryOf(permitted);
    const ref = repository && (await refs.findRef(repository.id, branchRef(name)));
    return repository && ref && (await this.#detailsOf(repository, permitted, changer, [ref]))[0];
  }

  /** Of these refs those that lead to a commit. */
  async #detailsOf(
    { store, id }: Repository,
    { project }: PermittedCode,
    changer: RefChanger,
    refs: readonly Ref[],
  ): Promise<readonly BranchDetails[]> {
    const { objects, history, protectedRefs } = this.parts;
    const rules = await protectedRefs.branchesOf(project.id);
    const main = await this.#mainOf(id, project.defaultBranch);
    const tips = refs.map(({ target }) => target);
    const reached = main === undefined ? new Set() : await history.reachable(store, main.target, tips);
    const commits = await Promise.all(tips.map((tip) => objects.commit(store, tip)));
    return refs.flatMap((ref, index) => {
      const commit = commits[index];
      const name = refPartsOf(ref.name)?.name ?? ref.name;
      if (commit === undefined) requireNoCommit(ref);
      if (commit === undefined) return [];
      const merged = reached.has(ref.target) && ref.target !== main?.target;
      return [{ name, commit, merged, default: name === project.defaultBranch, ...rightsOf(name, rules, changer) }];
    });
  }

  async #matching(repositoryId: number, regex: string, query: BranchQuery): Promise<Page<Ref>> {
    try {
      const pattern = new RefPattern(regex);
      const isMeant = (name: string) => pattern.test(name) && isFound(name, query.search);
      const { orderBy, page } = query;
      const sign = query.sort === 'asc' ? 1 : -1;
      const compare = (one: Ref, other: Ref) =>
        (orderBy === 'updated' ? sign * (timeOf(one) - timeOf(other)) : 0) || sign * (one.name < other.name ? -1 : 1);
      return await selectRefs(this.parts.refs, { repositoryId, folder: branchRef(''), isMeant, compare, page });
    } catch (error) {
      throw error instanceof PatternInvalid ? new UnknownValue('Regex is invalid') : error;
    }
  }

  async #mainOf(repositoryId: number, defaultBranch: string | null): Promise<Ref | undefined> {
    return defaultBranch === null ? undefined : this.parts.refs.findRef(repositoryId, branchRef(defaultBranch));
  }
}

const timeOf = ({ committedAt }: Ref): number => committedAt?.getTime() ?? 0;

const rightsOf = (name: string, rules: readonly ProtectedBranch[], changer: RefChanger) => {
  const own = branchRights(name, rules, changer);
  const developers = branchRights(name, rules, { level: DEVELOPER, admin: false });
  return {
    protected: own.protected,
    developersCanPush: own.protected && developers.push,
    developersCanMerge: own.protected && developers.merge,
    canPush: own.push,
  };
};

import { branchRights, type ProtectedBranch, type RefChanger } from '../../../domain/repositories/protected-ref.js';
import type { ObjectId } from '../../../domain/repositories/object-id.js';
import { branchRef, refPartsOf } from '../../../domain/repositories/ref-name.js';
import { UnknownValue } from '../../../domain/shared/domain-error.js';
import type { Page, PageRequest, SortDirection } from '../../../domain/shared/page.js';
import { nothingInBatches, readFewAtATime, type PageInBatches } from '../../shared/page-in-batches.js';
import type { CompileNamePattern } from '../ports/name-patterns.js';
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
  readonly compileNamePattern: CompileNamePattern;
}

/** What is asked once for all branches of a page. */
interface About {
  readonly store: string;
  readonly rules: readonly ProtectedBranch[];
  readonly defaultBranch: string | null;
  readonly mainTip: ObjectId | undefined;
  /** The tips that the default branch contains. */
  readonly reached: ReadonlySet<ObjectId>;
}

const DEVELOPER = 30;

/** Reads branches with all that callers are told of them. */
export class Branches {
  constructor(private readonly parts: Parts) {}

  async list(permitted: PermittedCode, changer: RefChanger, query: BranchQuery): Promise<PageInBatches<BranchDetails>> {
    const { revisions, refs } = this.parts;
    const repository = await revisions.repositoryOf(permitted);
    if (repository === undefined) return nothingInBatches();
    const { items, ...page } =
      query.regex === undefined
        ? await refs.list({ repositoryId: repository.id, kind: 'branch', ...query })
        : await this.#matching(repository.id, query.regex, query);
    const about = await this.#about(repository, permitted, items);
    const read = (some: readonly Ref[]) => this.#detailsOf(about, changer, some);
    return { ...page, batches: readFewAtATime(items, read) };
  }

  /** @param name without `refs/heads/`. */
  async find(permitted: PermittedCode, changer: RefChanger, name: string): Promise<BranchDetails | undefined> {
    const { revisions, refs } = this.parts;
    const repository = await revisions.repositoryOf(permitted);
    const ref = repository && (await refs.findRef(repository.id, branchRef(name)));
    if (repository === undefined || ref === undefined) return undefined;
    return (await this.#detailsOf(await this.#about(repository, permitted, [ref]), changer, [ref]))[0];
  }

  async #about({ store, id }: Repository, { project }: PermittedCode, refs: readonly Ref[]): Promise<About> {
    const { history, protectedRefs } = this.parts;
    const { defaultBranch } = project;
    const rules = await protectedRefs.branchesOf(project.id);
    const main = await this.#mainOf(id, defaultBranch);
    const tips = refs.map(({ target }) => target);
    const reached = main === undefined ? new Set<ObjectId>() : await history.reachable(store, main.target, tips);
    return { store, rules, defaultBranch, mainTip: main?.target, reached };
  }

  /** Of these refs those that lead to a commit. */
  async #detailsOf(
    { store, rules, defaultBranch, mainTip, reached }: About,
    changer: RefChanger,
    refs: readonly Ref[],
  ): Promise<readonly BranchDetails[]> {
    const commits = await Promise.all(refs.map(({ target }) => this.parts.objects.commit(store, target)));
    return refs.flatMap((ref, index) => {
      const commit = commits[index];
      const name = refPartsOf(ref.name)?.name ?? ref.name;
      if (commit === undefined) requireNoCommit(ref);
      if (commit === undefined) return [];
      const merged = reached.has(ref.target) && ref.target !== mainTip;
      return [{ name, commit, merged, default: name === defaultBranch, ...rightsOf(name, rules, changer) }];
    });
  }

  async #matching(repositoryId: number, regex: string, query: BranchQuery): Promise<Page<Ref>> {
    const pattern = this.parts.compileNamePattern(regex);
    if (pattern === undefined) throw new UnknownValue('Regex is invalid');
    const isMeant = (name: string): boolean => {
      const fits = isFound(name, query.search) && pattern(name);
      if (fits === undefined) throw new UnknownValue('Regex takes too long');
      return fits;
    };
    const { orderBy, page } = query;
    const sign = query.sort === 'asc' ? 1 : -1;
    const compare = (one: Ref, other: Ref) =>
      (orderBy === 'updated' ? sign * (timeOf(one) - timeOf(other)) : 0) || sign * (one.name < other.name ? -1 : 1);
    return selectRefs(this.parts.refs, { repositoryId, folder: branchRef(''), isMeant, compare, page });
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

import { branchRef } from '../../domain/repositories/ref-name.js';
import type { ObjectId } from '../../domain/repositories/object-id.js';
import { reachingAnyOf } from '../../domain/review/brought-commits.js';
import { Unavailable } from '../../domain/shared/domain-error.js';
import type { ProjectId } from '../../domain/shared/identifiers.js';
import type { TodoRepositories } from '../collaboration/operations/todos.js';
import type { DiffsOfSubject } from '../collaboration/ports/subject-ports.js';
import { TooLarge, type HistoryReader, type Merger } from '../repositories/ports/object-stores.js';
import type { RefReader } from '../repositories/ports/ref-reader.js';
import type { Repository, RepositoriesRepositories } from '../repositories/ports/repository-repositories.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import { askAuthor } from './ask-author.js';
import { MOST_PATHS } from './look-at-branches.js';
import type { MergeRequestReader, ReviewRepositories, SeenBefore } from './ports/merge-request-ports.js';

type Needs = ReviewRepositories & TodoRepositories & Pick<RepositoriesRepositories, 'repositories' | 'refs'>;

interface Parts {
  readonly unitOfWork: UnitOfWork<Needs>;
  readonly reader: Pick<MergeRequestReader, 'seenBefore'>;
  readonly refs: Pick<RefReader, 'findRepository' | 'findRef'>;
  readonly history: Pick<HistoryReader, 'graph' | 'reachable' | 'walk'>;
  readonly merger: Pick<Merger, 'conflicts'>;
  /** Brings the places of discussions up to date. */
  readonly diffs: Pick<DiffsOfSubject, 'follow'>;
  readonly clock: Clock;
}

interface Target {
  readonly repository: Repository;
  readonly branch: string;
  readonly from: ObjectId;
  readonly to: ObjectId;
}

interface Found {
  /** Commits that the target branch was brought. */
  readonly added: number;
  /** By merge request: the files that would clash. */
  readonly conflicts: ReadonlyMap<number, readonly string[]>;
}

/** Beyond, each is looked at by itself. */
const MOST_COMMITS = 10_000;

/**
 * Finds out of many merge requests at once how they stand after their target branch moved forward, by four children of git in all: those
 * that have none of the commits that it was brought are ahead as they were, behind by that much more, and change what they changed.
 */
export class FollowTarget {
  constructor(private readonly parts: Parts) {}

  /**
   * Answers which of these are done. The others are to be looked at one by one: their source has moved as well, what was brought is partly
   * theirs, or nobody has looked at them yet.
   */
  async execute(projectId: ProjectId, branch: string, ids: readonly number[]): Promise<ReadonlySet<number>> {
    const { refs, reader } = this.parts;
    const done = new Set<number>();
    const repository = await refs.findRepository(projectId);
    const target = repository && (await refs.findRef(repository.id, branchRef(branch)));
    if (target === undefined) return done;
    const seen = Map.groupBy(await reader.seenBefore(projectId, branch, ids), (each) => each.target);
    for (const [from, some] of seen) {
      const followed = await this.#follow({ repository: repository!, branch, from, to: target.target }, some);
      for (const id of followed) done.add(id);
    }
    return done;
  }

  async #follow(target: Target, seen: readonly SeenBefore[]): Promise<readonly number[]> {
    const found = await this.#find(target, seen);
    if (found === undefined) return [];
    const ids = await this.#save(target, found);
    const discussed = seen.filter(({ id, discussed }) => discussed && ids.includes(id));
    for (const { id } of discussed) await this.parts.diffs.follow({ id, projectId: target.repository.projectId });
    return ids;
  }

  async #find({ repository: { store }, from, to }: Target, seen: readonly SeenBefore[]): Promise<Found | undefined> {
    const { history, merger } = this.parts;
    try {
      if (!(await history.reachable(store, to, [from])).has(from)) return undefined;
      const brought = await history.walk(store, { tips: [to], not: [from], limit: MOST_COMMITS + 1 });
      const sources = seen.map(({ source }) => source);
      const links = await history.graph(store, { tips: sources, not: [from] }, MOST_COMMITS);
      if (links === undefined || brought.length > MOST_COMMITS) return undefined;
      const moved = reachingAnyOf(sources, links, new Set(brought));
      const left = seen.filter(({ source }) => !moved.has(source));
      const pairs = left.map(({ source }) => ({ ours: to, theirs: source }));
      const clashing = await merger.conflicts(store, pairs);
      return {
        added: brought.length,
        conflicts: new Map(left.map(({ id }, index) => [id, clashing[index]!.slice(0, MOST_PATHS)])),
      };
    } catch (error) {
      // One of them may be the reason: by itself each other one can be told.
      if (error instanceof Unavailable || error instanceof TooLarge) return undefined;
      throw error;
    }
  }

  /** Answers which are done: all of them when the target has moved on meanwhile, for whatever moved it has asked for another look. */
  #save({ repository, branch, to }: Target, { added, conflicts }: Found): Promise<readonly number[]> {
    const { unitOfWork, clock } = this.parts;
    const { id: repositoryId, projectId } = repository;
    const at = clock.now();
    return unitOfWork.execute(async (repositories) => {
      const { mergeRequests, refs } = repositories;
      const [ref, held] = [branchRef(branch), await repositories.repositories.take(projectId)];
      const isStill = held !== undefined && (await refs.targetsOf(repositoryId, [ref])).get(ref) === to;
      if (!isStill) return [...conflicts.keys()];
      const taken = await mergeRequests.takeUnmoved([...conflicts.keys()], projectId, branch);
      const clean = taken.filter((each) => each.conflicts.length === 0 && conflicts.get(each.id)!.length === 0);
      await mergeRequests.fallBehind(
        clean.map(({ id }) => id),
        { target: to, by: added },
      );
      for (const before of taken) {
        if (clean.includes(before)) continue;
        const { id, sourceSha, ahead, behind } = before;
        const clashing = conflicts.get(id)!;
        const status = clashing.length === 0 ? 'can_be_merged' : 'cannot_be_merged';
        const standing = { sourceSha, ahead, behind: behind + added, conflicts: clashing, status } as const;
        await mergeRequests.saveStanding(id, { ...standing, checkedTarget: to, branchesThere: true });
        if (before.conflicts.length === 0) await askAuthor(repositories, before, at);
      }
      return taken.map(({ id }) => id);
    });
  }
}

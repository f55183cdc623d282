import { branchRef, mergeRequestRef } from '../../domain/repositories/ref-name.js';
import type { MergeRequest } from '../../domain/review/merge-request.js';
import type { UserId } from '../../domain/shared/identifiers.js';
import type { TodoRepositories } from '../collaboration/operations/todos.js';
import type { DiffsOfSubject } from '../collaboration/ports/subject-ports.js';
import type { ObjectReader } from '../repositories/ports/object-stores.js';
import type { RepositoriesRepositories } from '../repositories/ports/repository-repositories.js';
import type { DomainEvents } from '../shared/domain-events.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import { askAuthor } from './ask-author.js';
import type { LookAtBranches, Looked } from './look-at-branches.js';
import type { MergeRequestReader, ReviewRepositories } from './ports/merge-request-ports.js';
import { takeBackApprovals } from './take-back-approvals.js';

type Needs = ReviewRepositories &
  TodoRepositories &
  Pick<RepositoriesRepositories, 'repositories' | 'refs'> & { readonly events: DomainEvents };

interface Parts {
  readonly unitOfWork: UnitOfWork<Needs>;
  readonly reader: MergeRequestReader;
  readonly look: LookAtBranches;
  readonly objects: ObjectReader;
  /** Brings the places of its discussions up to date. */
  readonly diffs: Pick<DiffsOfSubject, 'follow'>;
  /** Writes into the files what the rows of refs say. */
  readonly refsMoved: (repository: Looked['repository']) => void;
  readonly clock: Clock;
}

/** Branches that move on while they are looked at are looked at again. */
const MOST_LOOKS = 5;

/**
 * Finds out how an open merge request stands, and keeps it: whether it can be merged, what it would change, and its commits. What is kept
 * is true of the branches as they are at that moment.
 */
export class RefreshMergeRequests {
  readonly #running = new Map<number, Promise<void>>();

  constructor(private readonly parts: Parts) {}

  /**
   * Waits for what this process is finding out of it at the moment: its discussions follow a little after its branches.
   * @returns whether there was something, so that what was read before may be of the past.
   */
  async settled(id: number): Promise<boolean> {
    const running = this.#running.get(id);
    await running?.catch(() => undefined);
    return running !== undefined;
  }

  /**
   * @param by who moved a branch: one whose commits have all reached the target that way is merged by them.
   * @throws Unavailable.
   */
  async execute(id: number, by?: UserId): Promise<void> {
    const run = this.#refresh(id, by);
    this.#running.set(id, run);
    try {
      await run;
    } finally {
      if (this.#running.get(id) === run) this.#running.delete(id);
    }
  }

  async #refresh(id: number, by: UserId | undefined): Promise<void> {
    for (let look = 0; look < MOST_LOOKS; look += 1) {
      const mergeRequest = await this.parts.reader.findPlain(id);
      if (mergeRequest?.state !== 'opened') return;
      const looked = await this.parts.look.execute(mergeRequest, await this.parts.reader.newestVersion(id));
      if (looked === undefined) return;
      try {
        if (!(await this.#save(mergeRequest, looked, by))) continue;
        if (looked.version !== undefined) this.parts.refsMoved(looked.repository);
        await this.parts.diffs.follow(mergeRequest);
        return;
      } finally {
        await looked.brought?.settle();
      }
    }
  }

  /** False when a branch has moved meanwhile. */
  async #save(seen: MergeRequest, looked: Looked, by: UserId | undefined): Promise<boolean> {
    const committedAt = await this.#committedAt(looked);
    const at = this.parts.clock.now();
    return this.parts.unitOfWork.execute(async (repositories) => {
      const { mergeRequests } = repositories;
      const held = await repositories.repositories.take(seen.projectId);
      const now = held && (await mergeRequests.take(seen.id));
      if (now?.state !== 'opened') return true;
      if (now.targetBranch !== seen.targetBranch || !(await isStill(repositories, seen, looked))) return false;
      if (
        looked.standing.ahead === 0 &&
        by !== undefined &&
        (await mergeRequests.lastHead(seen.id)) === looked.source
      ) {
        await mergeRequests.merge(
          seen.id,
          { mergeCommitSha: null, squashCommitSha: null, sourceBranchRemoved: null, by },
          at,
        );
        await repositories.events.publish({ kind: 'merge_request_merged', mergeRequest: now, by, at });
        return true;
      }
      await keep(repositories, now, looked, { committedAt, at });
      return true;
    });
  }

  async #committedAt({ repository, version }: Looked): Promise<Date | null> {
    const commit = version && (await this.parts.objects.commit(repository.store, version.head));
    return commit === undefined ? null : new Date(commit.committer.at);
  }
}

/** Whether both branches are where they were looked at. */
const isStill = async ({ refs }: Needs, pair: MergeRequest, looked: Looked): Promise<boolean> => {
  const [target, source] = [branchRef(pair.targetBranch), branchRef(pair.sourceBranch)];
  const targets = await refs.targetsOf(looked.repository.id, [target]);
  const sources = await refs.targetsOf(looked.sourceRepository.id, [source]);
  if ((targets.get(target) ?? null) !== looked.target) return false;
  return pair.sourceProjectId === null || !looked.sourceShown || (sources.get(source) ?? null) === looked.source;
};

const keep = async (
  repositories: Needs,
  before: MergeRequest,
  looked: Looked,
  { committedAt, at }: { readonly committedAt: Date | null; readonly at: Date },
): Promise<void> => {
  const { id, iid } = before;
  const { standing, version } = looked;
  // What was there last stays known when the branch is gone.
  const sourceSha = standing.sourceSha ?? before.sourceSha;
  await repositories.mergeRequests.saveStanding(id, { ...standing, sourceSha });
  // A push to many branches at once, or while it was closed, has not done so.
  if (before.sourceSha !== null && before.sourceSha !== sourceSha)
    await takeBackApprovals(repositories.mergeRequests, before);
  if (before.conflicts.length === 0 && standing.conflicts.length > 0) await askAuthor(repositories, before, at);
  if (version === undefined) return;
  await repositories.mergeRequests.addVersion(id, version, at);
  await keepHead(repositories, looked, mergeRequestRef(iid), committedAt);
};

const keepHead = async (
  { refs }: Needs,
  { repository, version }: Looked,
  ref: string,
  committedAt: Date | null,
): Promise<void> => {
  const target = version?.head;
  const from = (await refs.targetsOf(repository.id, [ref])).get(ref) ?? null;
  if (target === undefined || from === target) return;
  await refs.move(repository.id, { ref, from, to: { target, peeled: null, committedAt } });
};

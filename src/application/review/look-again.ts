import type { ProjectId, UserId } from '../../domain/shared/identifiers.js';
import type { Clock } from '../shared/ports/clock.js';
import type { FollowTarget } from './follow-target.js';
import type { MergeRequestReader } from './ports/merge-request-ports.js';
import type { RefreshMergeRequests } from './refresh-merge-requests.js';

interface Parts {
  readonly reader: Pick<MergeRequestReader, 'toLookAt'>;
  readonly followTarget: Pick<FollowTarget, 'execute'>;
  readonly refresh: Pick<RefreshMergeRequests, 'execute'>;
  readonly clock: Clock;
}

/** Of which branch, by whom it was moved, and after which merge request to go on. */
export interface MovedBranch {
  readonly projectId: ProjectId;
  readonly branch: string;
  readonly by: UserId;
  readonly after: number;
}

/** Merge requests of one go. */
const SOME = 100;
/** Others wait meanwhile: a go that took so long ends with the merge request that it is at. */
const LONG_MS = 10_000;

/** Finds out in the background how the merge requests around a branch stand since it moved. */
export class LookAgain {
  constructor(private readonly parts: Parts) {}

  /** Looks at some, and answers after which to go on; undefined when there are no more. @throws Unavailable. */
  async execute({ projectId, branch, by, after }: MovedBranch): Promise<number | undefined> {
    const { reader, followTarget, refresh, clock } = this.parts;
    const end = clock.now().getTime() + LONG_MS;
    const ids = await reader.toLookAt(projectId, branch, after, SOME);
    const followed = await followTarget.execute(projectId, branch, ids);
    for (const id of ids) {
      if (followed.has(id)) continue;
      await refresh.execute(id, by);
      if (clock.now().getTime() >= end) return id;
    }
    return ids.length < SOME ? undefined : ids.at(-1);
  }
}

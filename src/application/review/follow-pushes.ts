import type { CodeWorkRepository } from '../repositories/ports/repository-repositories.js';
import type { DomainEvents, PushedRef, PushEvent, Subscriber } from '../shared/domain-events.js';
import type { ForgetProject } from '../workspace/ports/forget-project.js';
import type { AutomaticMergeRepository, MergeRequestRepository } from './ports/merge-request-ports.js';
import { takeBackApprovals } from './take-back-approvals.js';

interface Needs {
  readonly mergeRequests: MergeRequestRepository;
  readonly automaticMerges: AutomaticMergeRepository;
  readonly codeWorks: CodeWorkRepository;
  readonly events: DomainEvents;
}

/** Whoever mirrors a repository moves all of its refs at once: how the others stand is found out when somebody looks at them. */
const MOST_BRANCHES = 50;
const FEW = 50;

/** What a push means to merge requests: those of the branch have other commits, and how they stand is to be found out again. */
export const mergeRequestsFollowPushes: Subscriber<Needs> = async (event, repositories) => {
  if (event.kind !== 'pushed') return;
  const branches = event.refs.filter(({ kind }) => kind === 'branch').slice(0, MOST_BRANCHES);
  for (const branch of branches) await follow(repositories, event, branch);
};

const follow = async (repositories: Needs, push: PushEvent, { name, to }: PushedRef): Promise<void> => {
  const { mergeRequests, codeWorks } = repositories;
  const { projectId, by: userId, at } = push;
  if (!(await mergeRequests.hasOpenAround(projectId, name))) return;
  if (to !== null) await moveSources(repositories, push, name, to);
  if (!(await mergeRequests.outdate(projectId, name))) return;
  await codeWorks.add({ kind: 'refresh_merge_requests', projectId, userId, payload: { branch: name, after: 0 } }, at);
};

const moveSources = async (
  { mergeRequests, automaticMerges, codeWorks, events }: Needs,
  { projectId, by, at }: PushEvent,
  branch: string,
  to: string,
): Promise<void> => {
  for (const mergeRequest of await mergeRequests.comingFrom(projectId, branch)) {
    const { id, sourceSha: from } = mergeRequest;
    if (from === to) continue;
    await mergeRequests.moveSource(id, to, at);
    await takeBackApprovals(mergeRequests, mergeRequest);
    await automaticMerges.remove(id);
    await events.publish({ kind: 'merge_request_pushed', mergeRequest, from, to, by, at });
    // Nobody has looked at it before: these are the commits that it was opened with.
    if (from === null) continue;
    const payload = { mergeRequestId: id, branch, from, to };
    await codeWorks.add({ kind: 'note_pushed_commits', projectId, userId: by, payload }, at);
  }
};

/** Closes what comes from a fork that is being removed: nobody could merge it any more. */
export const closeMergeRequestsOfFork: ForgetProject<Pick<Needs, 'mergeRequests'>> = async (
  { mergeRequests },
  projectId,
) => ((await mergeRequests.closeFrom(projectId, FEW)) < FEW ? 'done' : 'more');

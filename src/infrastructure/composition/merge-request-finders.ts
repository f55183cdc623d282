import type { AutomaticMerges } from '../../application/review/automatic-merges.js';
import type { MergeChanges } from '../../application/review/merge-changes.js';
import { standingOf } from '../../application/review/operations/facts.js';
import type { MergeRequestActionsParts } from '../../application/review/merge-request-actions.js';
import type { MergeRequests } from '../../application/review/merge-requests.js';
import type { MergeRequestReader } from '../../application/review/ports/merge-request-ports.js';
import type { RebaseBranches } from '../../application/review/rebase-branches.js';
import type { WorkspaceAccess } from '../../application/workspace/workspace-access.js';
import type { UserReader } from '../../application/identity/ports/identity-readers.js';
import { committerOf } from '../../adapters/inbound/http/api-v4/merge-requests/merging-routes.js';

interface Parts {
  readonly access: WorkspaceAccess;
  readonly users: UserReader;
  readonly reader: MergeRequestReader;
  readonly mergeChanges: MergeChanges;
  readonly automaticMerges: AutomaticMerges;
  readonly rebaseBranches: RebaseBranches;
  readonly find: MergeRequestActionsParts['find'];
  readonly mergeRequests: () => MergeRequests;
}

/** The merge request of a project, for somebody who is about to change it. @throws NotFound, Forbidden. */
export const findToChangeBy =
  (access: WorkspaceAccess, mergeRequests: () => MergeRequests): MergeRequestActionsParts['find'] =>
  async (actor, project, iid) =>
    mergeRequests().findToChange(await access.project(actor, project, 'open_merge_requests'), iid);

/** How quick actions reach the merge requests that they are about. */
export const mergeRequestFinders = ({
  access,
  users,
  reader,
  mergeChanges,
  automaticMerges,
  rebaseBranches,
  find,
  mergeRequests,
}: Parts): Pick<MergeRequestActionsParts, 'find' | 'whyNotReopened' | 'merge' | 'rebase'> => ({
  find,
  whyNotReopened: (actor, mergeRequest) => mergeRequests().whyNotReopened(actor, mergeRequest),
  merge: async (actor, found) => {
    const { sourceSha } = found.mergeRequest;
    // What comes after the comment was written isn't merged.
    const command = sourceSha === null ? {} : { sha: sourceSha };
    const committer = await committerOf({ users }, actor);
    // What has ended is waited for no more: the rules of the project decide then.
    return standingOf(found.mergeRequest.pipeline) === 'running'
      ? automaticMerges.begin(committer, found, command)
      : mergeChanges.execute(committer, found, command);
  },
  rebase: async (actor, found) => {
    const { id, sourceProjectId } = found.mergeRequest;
    const source = sourceProjectId === null ? undefined : String(sourceProjectId);
    const permitted = await access.project(actor, source, 'push_code');
    await rebaseBranches.execute(await committerOf({ users }, actor), found, permitted);
    return (await reader.findById(id))?.mergeError ?? null;
  },
});

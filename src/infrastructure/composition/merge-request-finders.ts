import type { MergeChanges } from '../../application/review/merge-changes.js';
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
  readonly rebaseBranches: RebaseBranches;
  readonly mergeRequests: () => MergeRequests;
}

/** How quick actions reach the merge requests that they are about. */
export const mergeRequestFinders = ({
  access,
  users,
  reader,
  mergeChanges,
  rebaseBranches,
  mergeRequests,
}: Parts): Pick<MergeRequestActionsParts, 'find' | 'whyNotReopened' | 'merge' | 'rebase'> => ({
  find: async (actor, project, iid) =>
    mergeRequests().findToChange(await access.project(actor, project, 'open_merge_requests'), iid),
  whyNotReopened: (mergeRequest) => mergeRequests().whyNotReopened(mergeRequest),
  merge: async (actor, found) => {
    const { sourceSha } = found.mergeRequest;
    // What comes after the comment was written isn't merged.
    const command = sourceSha === null ? {} : { sha: sourceSha };
    return mergeChanges.execute(await committerOf({ users }, actor), found, command);
  },
  rebase: async (actor, found) => {
    const { id, sourceProjectId } = found.mergeRequest;
    const source = sourceProjectId === null ? undefined : String(sourceProjectId);
    const permitted = await access.project(actor, source, 'push_code');
    await rebaseBranches.execute(await committerOf({ users }, actor), found, permitted);
    return (await reader.findById(id))?.mergeError ?? null;
  },
});

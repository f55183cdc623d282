import type { UserReader } from '../../application/identity/ports/identity-readers.js';
import { ReplayCommits } from '../../application/repositories/operations/replay-commits.js';
import { AutomaticMerges } from '../../application/review/automatic-merges.js';
import { MergeChanges, type Committer } from '../../application/review/merge-changes.js';
import type { MergeRequestActionsParts } from '../../application/review/merge-request-actions.js';
import { RebaseBranches } from '../../application/review/rebase-branches.js';
import { signatureOf } from '../../adapters/inbound/http/api-v4/repository/code-writing.js';
import type { UserId } from '../../domain/shared/identifiers.js';
import { actorBy } from './people-behind-works.js';

type Merging = ConstructorParameters<typeof MergeChanges>[0];
type Waiting = ConstructorParameters<typeof AutomaticMerges>[0];
type Rebasing = ConstructorParameters<typeof RebaseBranches>[0];

type Parts = Merging &
  Omit<Waiting, 'mergeChanges' | 'committerBy' | 'findToChange'> &
  Omit<Rebasing, 'replayCommits'> & {
    readonly users: UserReader;
    readonly find: MergeRequestActionsParts['find'];
  };

export const signaturesBy = (users: UserReader) => (id: UserId) => signatureOf(users, id);

/** Whoever merges without asking at that moment, as commits name them. */
const committerBy = (users: UserReader) => {
  const actorOf = actorBy(users);
  return async (id: UserId): Promise<Committer | undefined> => {
    const [actor, signature] = await Promise.all([actorOf(id), signatureOf(users, id)]);
    return actor && signature && { ...actor, ...signature };
  };
};

/** Merging at once, and once a pipeline has succeeded; and what is done where branches must be put upon one another first. */
export const composeMerging = ({ users, find, ...parts }: Parts) => {
  const { objects, history, merger, clock } = parts;
  const mergeChanges = new MergeChanges(parts);
  return {
    mergeChanges,
    automaticMerges: new AutomaticMerges({
      ...parts,
      mergeChanges,
      committerBy: committerBy(users),
      findToChange: (actor, projectId, iid) => find(actor, String(projectId), iid),
    }),
    rebaseBranches: new RebaseBranches({
      ...parts,
      replayCommits: new ReplayCommits({ objects, history, merger, clock }),
    }),
  };
};

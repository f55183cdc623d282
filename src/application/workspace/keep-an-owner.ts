import { Conflict } from '../../domain/shared/domain-error.js';
import type { GroupId, UserId } from '../../domain/shared/identifiers.js';
import { isLastOwner } from '../../domain/workspace/lasting-owner.js';
import type { Subscriber } from '../shared/domain-events.js';
import type { GroupOwnerRepository, OwnedGroup } from './ports/workspace-repositories.js';

interface Needs {
  readonly groupOwners: GroupOwnerRepository;
}

/**
 * The one place that keeps this rule: a top-level group always has an owner whose membership doesn't end, so that no passage of time
 * leaves it without one. Groups below it need none of their own: the owners of the top-level group own them. Every work that ends or
 * limits a membership asks here first. The lock is the row of the top-level group.
 * @returns the groups that would be left without an owner if this user owned them no more: all of theirs, or the one that is meant.
 */
export const findGroupsLeftWithoutOwner = async (
  { groupOwners }: Needs,
  userId: UserId,
  groupId?: GroupId,
): Promise<readonly OwnedGroup[]> =>
  (await groupOwners.takeOwnedBy(userId, groupId)).filter(({ owners }) => isLastOwner(owners, userId));

const NAMED = 10;

/** An account that is the last owner of a group can't be removed. It can be blocked: that leaves it the owner. */
export const keepOwnersOfGroups: Subscriber<Needs> = async (event, repositories) => {
  if (event.kind !== 'account_removed') return;
  const left = await findGroupsLeftWithoutOwner(repositories, event.accountId);
  if (left.length === 0) return;
  const named = left.slice(0, NAMED).map(({ fullPath }) => fullPath);
  const more = left.length > NAMED ? ` and ${left.length - NAMED} more` : '';
  throw new Conflict(
    `User cannot be removed while they are the only owner of: ${named.join(', ')}${more}. ` +
      'Make another member an owner without an expiry date, or remove the group.',
  );
};

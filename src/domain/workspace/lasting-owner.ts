import type { UserId } from '../shared/identifiers.js';
import { ACCESS_LEVEL } from '../shared/access-level.js';
import type { Member } from './namespace.js';

/** Somebody who owns a group on every day to come. */
export interface LastingOwner {
  readonly userId: UserId;
  readonly blocked: boolean;
}

/** An owner whose membership ends one day owns the group no more than until then. */
export const isLastingOwner = ({ accessLevel, expiresAt }: Pick<Member, 'accessLevel' | 'expiresAt'>): boolean =>
  accessLevel >= ACCESS_LEVEL.owner && expiresAt === null;

/**
 * Whether a group would lose its last owner with this one. An owner who is blocked can't act, so they only replace another who is
 * blocked too.
 */
export const isLastOwner = (owners: readonly LastingOwner[], userId: UserId): boolean => {
  const leaving = owners.find((owner) => owner.userId === userId);
  if (leaving === undefined) return false;
  return !owners.some((other) => other.userId !== userId && (leaving.blocked || !other.blocked));
};

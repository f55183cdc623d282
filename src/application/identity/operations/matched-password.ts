import type { User } from '../../../domain/identity/user.js';
import type { UserId } from '../../../domain/shared/identifiers.js';

/** `passwordHash` is the one that was matched: what is given for it is worthless once it has changed. */
export interface MatchedPassword {
  readonly userId: UserId;
  readonly passwordHash: string | null;
}

/** Whether a password that was matched still lets its owner in: they may have been blocked or removed since, or have another. */
export const stillLetsIn = (
  user: Pick<User, 'state' | 'passwordHash'> | undefined,
  { passwordHash }: Pick<MatchedPassword, 'passwordHash'>,
): boolean => user?.state === 'active' && user.passwordHash === passwordHash;

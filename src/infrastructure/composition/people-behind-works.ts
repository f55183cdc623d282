import type { UserReader } from '../../application/identity/ports/identity-readers.js';
import type { UserActor } from '../../application/shared/actor.js';
import type { UserId } from '../../domain/shared/identifiers.js';

/** Somebody who isn't asking, with the rights that they have now; undefined for who may not sign in any more. */
export const actorBy =
  (users: UserReader) =>
  async (id: UserId): Promise<UserActor | undefined> => {
    const user = await users.find(id);
    if (user?.state !== 'active') return undefined;
    const bot = user.bot === null ? {} : { bot: true as const };
    return { kind: 'user', id, username: user.username, admin: user.admin, credential: { kind: 'session' }, ...bot };
  };

import { isAdmin, userIdOf, type Actor } from '../../shared/actor.js';
import type { Clock } from '../../shared/ports/clock.js';
import type { Viewer } from '../ports/workspace-readers.js';

/** Who looks, for what is read in lists: memberships end with their last day. */
export const viewerOf = (actor: Actor, clock: Clock): Viewer => ({
  userId: userIdOf(actor),
  admin: isAdmin(actor),
  today: clock.now().toISOString().slice(0, 10),
});

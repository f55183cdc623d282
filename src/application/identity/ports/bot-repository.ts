import type { Bot, BotPlace } from '../../../domain/identity/bot.js';
import type { User } from '../../../domain/identity/user.js';
import type { UserId } from '../../../domain/shared/identifiers.js';

export type NewBot = Pick<User, 'username' | 'name' | 'createdAt'> & Bot;

/** Where bots end that belong to more than one project or group: everything below a group, or in the own namespace of somebody. */
export type BotsOf = BotPlace | { readonly kind: 'person'; readonly id: UserId };

export interface BotRepository {
  add(bot: NewBot): Promise<User>;
  /** Whether a place has so many tokens that work on that day, or more. Whoever else asks waits until the transaction ends. */
  holdAtLeast(place: BotPlace, number: number, today: string): Promise<boolean>;
  /** One that isn't blocked, and has no token that works on that day. */
  findExpired(today: string): Promise<UserId | undefined>;
  /** Blocks one for good. */
  retire(id: UserId): Promise<void>;
  /** Blocks all of them for good, and revokes their tokens: for what is being removed with its members. */
  retireAll(of: BotsOf): Promise<void>;
}

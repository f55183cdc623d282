import type { GroupId, ProjectId } from '../shared/identifiers.js';

/** The project or group that an access token belongs to, and the bot behind it. */
export type BotPlace =
  { readonly kind: 'project'; readonly id: ProjectId } | { readonly kind: 'group'; readonly id: GroupId };

/** What makes an account the bot of an access token: it is a member of that place alone, with a level that stays. */
export interface Bot {
  readonly place: BotPlace;
  readonly accessLevel: number;
}

/** What bots are called; people may have been called so before, too: an account is a bot by what is kept of it. */
export const botUsername = ({ kind, id }: BotPlace, random: string): string => `${kind}_${id}_bot_${random}`;

/** Whether programs that go by the name would take an account for a bot. */
export const looksLikeBot = (username: string): boolean => /^(?:project|group)_\d+_bot_/i.test(username);

/** The address of an account without one, where commits and clients need some: it never gets mail. */
export const addressOfNobody = ({ username }: { readonly username: string }): string =>
  `${username}@users.noreply.localhost`;

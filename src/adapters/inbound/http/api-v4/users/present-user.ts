import { addressOfNobody } from '../../../../../domain/identity/bot.js';
import type { UserId } from '../../../../../domain/shared/identifiers.js';
import type { Person } from '../../../../../application/collaboration/ports/note-ports.js';
import type { UserProfile } from '../../../../../application/identity/ports/identity-readers.js';
import type { WebUrls } from '../../web-urls.js';

/** A user as others see them; 0 is the id of one who is gone. */
type BasicUser = Pick<UserProfile, 'username' | 'name' | 'state'> & { readonly id: UserId | 0 };

export const presentBasicUser = (user: BasicUser, urls: WebUrls) => ({
  id: user.id,
  username: user.username,
  name: user.name,
  state: user.state,
  avatar_url: null,
  web_url: urls.user(user.username),
});

/** The same with what is told of nobody but on their own page: whether a person is behind the account. */
export const presentPublicUser = (user: BasicUser & Pick<UserProfile, 'bot'>, urls: WebUrls) => ({
  ...presentBasicUser(user, urls),
  bot: user.bot !== null,
});

export const presentFullUser = (user: UserProfile, urls: WebUrls) => ({
  ...presentPublicUser(user, urls),
  created_at: user.createdAt.toISOString(),
  email: user.bot === null ? user.email : addressOfNobody(user),
  public_email: '',
  confirmed_at: user.confirmedAt?.toISOString() ?? null,
  last_sign_in_at: user.lastSignInAt?.toISOString() ?? null,
  current_sign_in_at: user.lastSignInAt?.toISOString() ?? null,
  two_factor_enabled: user.twoFactorEnabled,
  ...(user.admin ? { is_admin: true } : {}),
  can_create_group: user.bot === null,
  can_create_project: user.bot === null,
  external: false,
  identities: [],
});

/** Of an account that is gone. */
const GHOST = { id: 0, username: 'ghost', name: 'Ghost User', state: 'active' } as const;

/** Somebody as what they wrote names them. */
export const presentPerson = (person: Person | null, urls: WebUrls) => presentBasicUser(person ?? GHOST, urls);

import type { UserProfile } from '../../../../../application/identity/ports/identity-readers.js';
import type { WebUrls } from '../../web-urls.js';

export const presentBasicUser = (user: Pick<UserProfile, 'id' | 'username' | 'name' | 'state'>, urls: WebUrls) => ({
  id: user.id,
  username: user.username,
  name: user.name,
  state: user.state,
  avatar_url: null,
  web_url: urls.user(user.username),
});

export const presentFullUser = (user: UserProfile, urls: WebUrls) => ({
  ...presentBasicUser(user, urls),
  created_at: user.createdAt.toISOString(),
  email: user.email,
  public_email: '',
  confirmed_at: user.confirmedAt?.toISOString() ?? null,
  last_sign_in_at: user.lastSignInAt?.toISOString() ?? null,
  current_sign_in_at: user.lastSignInAt?.toISOString() ?? null,
  two_factor_enabled: user.twoFactorEnabled,
  ...(user.admin ? { is_admin: true } : {}),
  can_create_group: true,
  can_create_project: true,
  external: false,
  identities: [],
});

/** What a token may do (wire names). `openid`, `profile` and `email` give no access to the REST API. */
export const SCOPES = [
  'api',
  'read_api',
  'read_user',
  'read_repository',
  'write_repository',
  'sudo',
  'openid',
  'profile',
  'email',
] as const;
export type Scope = (typeof SCOPES)[number];

/** The scopes that a personal access token may carry. */
export const PERSONAL_ACCESS_TOKEN_SCOPES = [
  'api',
  'read_api',
  'read_user',
  'read_repository',
  'write_repository',
  'sudo',
] as const satisfies readonly Scope[];

export const isScope = (text: string): text is Scope => (SCOPES as readonly string[]).includes(text);

/** Whether a token of this scope does more than read. */
export const changesThings = (scope: Scope): boolean =>
  scope === 'api' || scope === 'sudo' || scope.startsWith('write_');

/** Whether a token holding `held` may hand out `wanted`: `api` covers every `read_*` and `write_*`, and never `sudo`. */
export const scopeCovers = (held: readonly Scope[], wanted: Scope): boolean =>
  held.includes(wanted) ||
  (held.includes('api') && /^(?:read|write)_/.test(wanted)) ||
  (held.includes('read_api') && wanted === 'read_user');

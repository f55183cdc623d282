import type { PersonalAccessToken } from '../../../../../domain/identity/personal-access-token.js';
import type { Scope } from '../../../../../domain/shared/scope.js';
import type { Dialect } from '../dialect/dialect.js';
import { readInstantOrNull } from '../dialect/nullable-instants.js';
import type { RowOf } from '../tables.js';

export type PersonalAccessTokenRow = RowOf<'personal_access_tokens'>;

/** By name where a statement is kept prepared: a new column would change what `*` means under it. */
export const PERSONAL_ACCESS_TOKEN_COLUMNS = [
  'id',
  'user_id',
  'name',
  'scopes',
  'expires_at',
  'revoked_at',
  'last_used_at',
  'created_at',
  'family_id',
  'description',
];

export const toPersonalAccessToken = (row: PersonalAccessTokenRow, dialect: Dialect): PersonalAccessToken => ({
  id: row.id,
  userId: row.user_id,
  name: row.name,
  description: row.description,
  scopes: row.scopes.split(' ') as Scope[],
  expiresAt: row.expires_at,
  revokedAt: readInstantOrNull(dialect, row.revoked_at),
  lastUsedAt: readInstantOrNull(dialect, row.last_used_at),
  createdAt: dialect.readInstant(row.created_at),
  familyId: row.family_id,
});

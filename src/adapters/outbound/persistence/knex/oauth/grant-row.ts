import type { Grant } from '../../../../../domain/oauth/grant.js';
import type { Scope } from '../../../../../domain/shared/scope.js';
import type { Dialect } from '../dialect/dialect.js';
import { readInstantOrNull } from '../dialect/nullable-instants.js';
import type { RowOf } from '../tables.js';

export type GrantRow = Omit<RowOf<'oauth_grants'>, 'expires_at'>;

/** By name where a statement is kept prepared: a new column would change what `*` means under it. */
export const GRANT_COLUMNS = [
  'id',
  'user_id',
  'application_id',
  'kind',
  'scopes',
  'nonce',
  'authenticated_at',
  'created_at',
  'last_used_at',
  'revoked_at',
  'revocation_reason',
];

export const toGrant = (row: GrantRow, dialect: Dialect): Grant => ({
  id: row.id,
  userId: row.user_id,
  applicationId: row.application_id,
  kind: row.kind,
  scopes: row.scopes.split(' ') as Scope[],
  nonce: row.nonce,
  authenticatedAt: dialect.readInstant(row.authenticated_at),
  createdAt: dialect.readInstant(row.created_at),
  lastUsedAt: readInstantOrNull(dialect, row.last_used_at),
  revokedAt: readInstantOrNull(dialect, row.revoked_at),
  revocationReason: row.revocation_reason,
});

import type { Grant, GrantKind, RevocationReason } from '../../../../../domain/oauth/grant.js';
import type { Scope } from '../../../../../domain/shared/scope.js';
import type { Dialect } from '../dialect/dialect.js';
import { readInstantOrNull } from '../dialect/nullable-instants.js';

export interface GrantRow {
  readonly id: number;
  readonly user_id: number;
  readonly application_id: number | null;
  readonly kind: string;
  readonly scopes: string;
  readonly nonce: string | null;
  readonly authenticated_at: unknown;
  readonly created_at: unknown;
  readonly last_used_at: unknown;
  readonly revoked_at: unknown;
  readonly revocation_reason: string | null;
}

export const toGrant = (row: GrantRow, dialect: Dialect): Grant => ({
  id: row.id,
  userId: row.user_id,
  applicationId: row.application_id,
  kind: row.kind as GrantKind,
  scopes: row.scopes.split(' ') as Scope[],
  nonce: row.nonce,
  authenticatedAt: dialect.readInstant(row.authenticated_at),
  createdAt: dialect.readInstant(row.created_at),
  lastUsedAt: readInstantOrNull(dialect, row.last_used_at),
  revokedAt: readInstantOrNull(dialect, row.revoked_at),
  revocationReason: row.revocation_reason as RevocationReason | null,
});

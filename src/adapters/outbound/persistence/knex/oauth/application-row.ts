import type { Application } from '../../../../../domain/oauth/application.js';
import type { Scope } from '../../../../../domain/shared/scope.js';
import type { Dialect } from '../dialect/dialect.js';
import type { RowOf } from '../tables.js';

export type ApplicationRow = Omit<RowOf<'oauth_applications'>, 'updated_at'>;

/** By name where a statement is kept prepared: a new column would change what `*` means under it. */
export const APPLICATION_COLUMNS = [
  'id',
  'uid',
  'secret_digest',
  'name',
  'redirect_uris',
  'scopes',
  'confidential',
  'owner_id',
  'created_at',
  'self_registered',
];

export const toApplication = (row: ApplicationRow, dialect: Dialect): Application => ({
  id: row.id,
  uid: row.uid,
  name: row.name,
  redirectUris: row.redirect_uris.split('\n'),
  scopes: row.scopes.split(' ') as Scope[],
  confidential: Boolean(row.confidential),
  ownerId: row.owner_id,
  selfRegistered: Boolean(row.self_registered),
  createdAt: dialect.readInstant(row.created_at),
});

import type { DeployKey, SshKey, UserKey } from '../../../../../domain/keys/ssh-key.js';
import type { Dialect } from '../dialect/dialect.js';
import { readInstantOrNull } from '../dialect/nullable-instants.js';
import type { RowOf } from '../tables.js';

export type SshKeyRow = RowOf<'ssh_keys'>;

const toSshKey = (row: SshKeyRow, dialect: Dialect): SshKey => ({
  id: row.id,
  title: row.title,
  publicKey: row.public_key,
  sha256: row.fingerprint_sha256,
  md5: row.fingerprint_md5,
  expiresAt: readInstantOrNull(dialect, row.expires_at),
  lastUsedAt: readInstantOrNull(dialect, row.last_used_at),
  createdAt: dialect.readInstant(row.created_at),
});

export const toDeployKey = (row: SshKeyRow, dialect: Dialect): DeployKey => ({
  ...toSshKey(row, dialect),
  creatorId: row.creator_id,
  isPublic: Boolean(row.is_public),
});

export const toKey = (row: SshKeyRow, dialect: Dialect): UserKey | DeployKey =>
  row.user_id === null ? toDeployKey(row, dialect) : { ...toSshKey(row, dialect), userId: row.user_id };

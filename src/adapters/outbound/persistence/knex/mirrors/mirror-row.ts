import type { RemoteMirror } from '../../../../../domain/mirrors/remote-mirror.js';
import type { Dialect } from '../dialect/dialect.js';
import type { RowOf } from '../tables.js';

export type MirrorRow = RowOf<'remote_mirrors'>;

export const toMirror = (row: MirrorRow, dialect: Dialect): RemoteMirror => {
  const instant = (value: unknown): Date | null => (value === null ? null : dialect.readInstant(value));
  return {
    id: row.id,
    projectId: row.project_id,
    url: row.url,
    hasCredentials: row.sealed_credentials !== null,
    enabled: Boolean(row.enabled),
    onlyProtectedBranches: Boolean(row.only_protected_branches),
    keepDivergentRefs: Boolean(row.keep_divergent_refs),
    status: row.status,
    lastError: row.last_error,
    lastUpdateStartedAt: instant(row.last_update_started_at),
    lastUpdateAt: instant(row.last_update_at),
    lastSuccessfulUpdateAt: instant(row.last_successful_update_at),
  };
};

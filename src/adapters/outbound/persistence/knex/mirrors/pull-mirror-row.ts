import type { PullMirror } from '../../../../../domain/mirrors/pull-mirror.js';
import type { Dialect } from '../dialect/dialect.js';
import type { RowOf } from '../tables.js';

export type PullMirrorRow = RowOf<'pull_mirrors'>;

export const toPullMirror = (row: PullMirrorRow, dialect: Dialect): PullMirror => {
  const instant = (value: unknown): Date | null => (value === null ? null : dialect.readInstant(value));
  return {
    projectId: row.project_id,
    url: row.url,
    hasCredentials: row.sealed_credentials !== null,
    userId: row.user_id,
    enabled: Boolean(row.enabled),
    onlyProtectedBranches: Boolean(row.only_protected_branches),
    overwritesDiverged: Boolean(row.overwrites_diverged),
    triggersBuilds: Boolean(row.triggers_builds),
    status: row.status,
    lastError: row.last_error,
    failures: row.failures,
    lastUpdateStartedAt: instant(row.last_update_started_at),
    lastUpdateAt: instant(row.last_update_at),
    lastSuccessfulUpdateAt: instant(row.last_successful_update_at),
  };
};

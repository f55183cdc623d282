import type { Expiring } from '../../../../application/shared/ports/expired-rows.js';
import { ACTIVITY_TABLES } from './tables/activity.js';
import { ALERT_TABLES } from './tables/alerts.js';
import { AUDIT_TABLES } from './tables/audit.js';
import { BADGE_TABLES } from './tables/badges.js';
import { CI_ARTIFACT_TABLES } from './tables/ci-artifacts.js';
import { CI_VARIABLE_TABLES } from './tables/ci-variables.js';
import { COLLABORATION_TABLES } from './tables/collaboration.js';
import { ENVIRONMENT_TABLES } from './tables/environments.js';
import { ERROR_TRACKING_TABLES } from './tables/error-tracking.js';
import { IDENTITY_TABLES } from './tables/identity.js';
import { INVITATION_TABLES } from './tables/invitations.js';
import { JOB_TABLES } from './tables/jobs.js';
import { KEY_TABLES } from './tables/keys.js';
import { NOTIFICATION_TABLES } from './tables/notifications.js';
import { OAUTH_TABLES } from './tables/oauth.js';
import { PACKAGE_TABLES } from './tables/packages.js';
import { PIPELINE_TABLES } from './tables/pipelines.js';
import { PLANNING_TABLES } from './tables/planning.js';
import { RELEASE_TABLES } from './tables/releases.js';
import { REPOSITORY_TABLES } from './tables/repositories.js';
import { REQUEST_COUNT_TABLES } from './tables/request-counts.js';
import { REVIEW_TABLES } from './tables/review.js';
import { SECRET_KEY_TABLES } from './tables/secret-key.js';
import { SNIPPET_TABLES } from './tables/snippets.js';
import { STORAGE_TABLES } from './tables/storage.js';
import type { Column, Stored, Table } from './tables/table.js';
import { UPLOAD_TABLES } from './tables/uploads.js';
import { MIRROR_TABLES } from './tables/mirrors.js';
import { WEBHOOK_TABLES } from './tables/webhooks.js';
import { WORKSPACE_TABLES } from './tables/workspace.js';

/**
 * The catalogue: every table of the service, as both databases have it (`tests/contract/tables.test.ts`). A migration that
 * changes a table changes its entry. What must know all tables reads it: rows' types, the clean-up, the schema report, the
 * rotation of the secret key, the storage move.
 */
export const TABLES = {
  ...IDENTITY_TABLES,
  ...WORKSPACE_TABLES,
  ...OAUTH_TABLES,
  ...COLLABORATION_TABLES,
  ...PLANNING_TABLES,
  ...ALERT_TABLES,
  ...ERROR_TRACKING_TABLES,
  ...NOTIFICATION_TABLES,
  ...ACTIVITY_TABLES,
  ...JOB_TABLES,
  ...REPOSITORY_TABLES,
  ...RELEASE_TABLES,
  ...REVIEW_TABLES,
  ...KEY_TABLES,
  ...SECRET_KEY_TABLES,
  ...STORAGE_TABLES,
  ...WEBHOOK_TABLES,
  ...MIRROR_TABLES,
  ...AUDIT_TABLES,
  ...SNIPPET_TABLES,
  ...INVITATION_TABLES,
  ...UPLOAD_TABLES,
  ...PIPELINE_TABLES,
  ...CI_ARTIFACT_TABLES,
  ...PACKAGE_TABLES,
  ...BADGE_TABLES,
  ...CI_VARIABLE_TABLES,
  ...ENVIRONMENT_TABLES,
  ...REQUEST_COUNT_TABLES,
};
export type TableName = keyof typeof TABLES;

/** Made before the tables of the first migration, and by no other program. */
export const LOCK_OF_MIGRATIONS = 'schema_migrations_lock';

/** Which migrations ran is each database's own: two databases compare it, and never copy it. */
export const TABLES_OF_MIGRATIONS = ['schema_migrations', LOCK_OF_MIGRATIONS] as const;

/**
 * Indexes of texts, which each database has in its own way, kept by triggers. They are made of the rows of other tables, so nothing
 * copies them: they appear wherever those are written. On SQLite, tables whose names begin so are a part of them.
 */
export const INDEXES_OF_TEXTS = ['issue_search', 'merge_request_search'] as const;

/** A row of a table, as the driver of either database hands it out. */
export type RowOf<Name extends TableName> = {
  readonly [Key in keyof (typeof TABLES)[Name]['columns']]: (typeof TABLES)[Name]['columns'][Key] extends Column<
    infer Type,
    infer Nullable,
    infer Content
  >
    ? Stored<Type extends 'id' ? Name : Content>[Type] | (Nullable extends true ? null : never)
    : never;
};

const ALL: readonly (readonly [string, Table])[] = Object.entries(TABLES);

export interface ColumnPlace {
  readonly table: string;
  readonly column: string;
  /** The primary key of the table. */
  readonly key: readonly string[];
}

/** Every column whose text is sealed under the secret key. */
export const SEALED_COLUMNS: readonly ColumnPlace[] = ALL.flatMap(([name, { key, columns }]) =>
  Object.entries(columns)
    .filter(([, { type }]) => type === 'sealed')
    .map(([column]) => ({ table: name, column, key })),
);

/** Whose rows name files of the folder, by `file_key`. */
export const TABLES_OF_FILES = ['ci_artifacts', 'package_files'] as const satisfies readonly TableName[];

const orderParentsFirst = (): readonly TableName[] => {
  const ordered = new Set<string>();
  const add = (name: string, { columns }: Table): void => {
    if (ordered.has(name)) return;
    for (const { refersTo } of Object.values(columns))
      if (refersTo !== undefined && refersTo.table !== name) add(refersTo.table, TABLES[refersTo.table as TableName]);
    ordered.add(name);
  };
  for (const [name, table] of ALL) add(name, table);
  return [...ordered] as TableName[];
};
/** Names of tables, each after those that its rows refer to; a table may refer to itself. */
export const PARENTS_FIRST = orderParentsFirst();

/** What a database says of itself, of moves and of the last minute; never copied, and written to while nothing else may be. */
const OWN_TABLES: readonly TableName[] = [
  'storage_control',
  'storage_changes',
  'storage_nodes',
  'storage_receipts',
  'request_counts',
];

/** The tables of which an installation consists, wherever it is stored. */
export const MOVED_TABLES = PARENTS_FIRST.filter((name) => !OWN_TABLES.includes(name));

/** What the clean-up removes, table by table: rows that refer to others come first, so that little is left to cascades. */
export const EXPIRING_TABLES: readonly Expiring[] = PARENTS_FIRST.toReversed().flatMap((name) =>
  (TABLES[name] as Table).pruned.flatMap((pruning) =>
    pruning.kind === 'expired' ? { table: name, keptMs: pruning.keptMs } : [],
  ),
);

export type TableRows = { [Name in TableName]: RowOf<Name> };

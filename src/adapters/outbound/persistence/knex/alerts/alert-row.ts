import type { Alert } from '../../../../../domain/alerts/alert.js';
import { severityOf } from '../../../../../domain/alerts/severity.js';
import type { Dialect } from '../dialect/dialect.js';
import { readInstantOrNull } from '../dialect/nullable-instants.js';
import type { RowOf } from '../tables.js';

/** Without the text that is searched, which is as long as the others together; with the number that every alert takes when it opens. */
export type AlertRow = Omit<RowOf<'alerts'>, 'search_key' | 'iid'> & { readonly iid: number };

/** Those that a list needs: the payload is as long as it likes, and so is the text that is searched. */
export const LISTED_COLUMNS: readonly Exclude<keyof AlertRow, 'payload'>[] = [
  'id',
  'project_id',
  'integration_id',
  'issue_id',
  'iid',
  'status',
  'severity_rank',
  'title',
  'description',
  'service',
  'monitoring_tool',
  'hosts',
  'environment',
  'fingerprint',
  'started_at',
  'ended_at',
  'events',
  'created_at',
  'updated_at',
];

export const toAlert = (row: AlertRow, dialect: Dialect): Alert => ({
  id: row.id,
  projectId: row.project_id,
  iid: row.iid,
  integrationId: row.integration_id,
  issueId: row.issue_id,
  status: row.status,
  severity: severityOf(row.severity_rank),
  title: row.title,
  description: row.description,
  service: row.service,
  monitoringTool: row.monitoring_tool,
  hosts: JSON.parse(row.hosts) as string[],
  environment: row.environment,
  fingerprint: row.fingerprint,
  startedAt: dialect.readInstant(row.started_at),
  endedAt: readInstantOrNull(dialect, row.ended_at),
  events: row.events,
  payload: row.payload,
  createdAt: dialect.readInstant(row.created_at),
  updatedAt: dialect.readInstant(row.updated_at),
});

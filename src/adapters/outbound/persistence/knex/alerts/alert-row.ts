import type { Alert, AlertStatus } from '../../../../../domain/alerts/alert.js';
import { severityOf } from '../../../../../domain/alerts/severity.js';
import type { Dialect } from '../dialect/dialect.js';
import { readInstantOrNull } from '../dialect/nullable-instants.js';

export interface AlertRow {
  readonly id: number;
  readonly project_id: number;
  readonly integration_id: number | null;
  readonly issue_id: number | null;
  readonly iid: number;
  readonly status: string;
  readonly severity_rank: number;
  readonly title: string;
  readonly description: string | null;
  readonly service: string | null;
  readonly monitoring_tool: string | null;
  readonly hosts: string;
  readonly environment: string | null;
  readonly fingerprint: string | null;
  readonly started_at: unknown;
  readonly ended_at: unknown;
  readonly events: number;
  readonly payload: string;
  readonly created_at: unknown;
  readonly updated_at: unknown;
}

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
  status: row.status as AlertStatus,
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

import type {
  AlertEnd,
  AlertRepository,
  NewAlert,
  NewArrival,
  OpenAlert,
  Repeats,
} from '../../../../../application/alerts/ports/alert-repositories.js';
import { together } from '../../../../../application/shared/together.js';
import type { Alert, AlertStatus } from '../../../../../domain/alerts/alert.js';
import { rankOf } from '../../../../../domain/alerts/severity.js';
import { Conflict } from '../../../../../domain/shared/domain-error.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import { Overtaken } from '../dialect/constraint-violations.js';
import type { Dialect } from '../dialect/dialect.js';
import { writeInstantOrNull } from '../dialect/nullable-instants.js';
import { onUniqueViolation } from '../dialect/on-unique-violation.js';
import type { RowOfValues } from '../dialect/row-sets.js';
import { insertInto, typedColumns } from '../insert-rows.js';
import type { Session } from '../session.js';
import { holdNumbers, takeNumbers } from '../shared/project-counter.js';
import { searchKey } from '../text-search.js';
import { toAlert, type AlertRow } from './alert-row.js';

const ALREADY_OPEN = () => new Conflict('Cannot have multiple unresolved alerts');
// The one names the index, the other its columns.
const REFUSALS = { alerts_one_open: ALREADY_OPEN, alerts_project_id_fingerprint_unique: ALREADY_OPEN };

const INSERT = insertInto(
  'alerts',
  [
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
    'search_key',
    'started_at',
    'events',
    'payload',
    'created_at',
    'updated_at',
  ],
  `on conflict (project_id, fingerprint) where status <> 'resolved' and fingerprint is not null do nothing
  returning id, iid`,
);
const INSERT_ARRIVALS = insertInto('alert_arrivals', ['alert_id', 'outcome', 'reason', 'arrived_at']);
const REPEATED = typedColumns('alerts', ['id', 'events', 'updated_at']);
const ENDED = typedColumns('alerts', ['id', 'ended_at', 'updated_at']);

interface OpenRow extends Omit<OpenAlert, 'projectId' | 'issueId'> {
  readonly issue_id: number | null;
}

const valuesOf = (alert: NewAlert, dialect: Dialect): RowOfValues => [
  alert.projectId,
  alert.integrationId,
  alert.issueId,
  alert.iid,
  'triggered',
  rankOf(alert.severity),
  alert.title,
  alert.description,
  alert.service,
  alert.monitoringTool,
  JSON.stringify(alert.hosts),
  alert.environment,
  alert.fingerprint,
  searchKey(alert.title, alert.description ?? '', alert.service ?? '', alert.monitoringTool ?? ''),
  dialect.writeInstant(alert.startedAt),
  alert.events,
  alert.payload,
  dialect.writeInstant(alert.createdAt),
  dialect.writeInstant(alert.updatedAt),
];

// That it is not null lets PostgreSQL take the index of open ones.
const takeOpen = (dialect: Dialect): string =>
  dialect.takeForEach(
    'alerts.id, iid, issue_id, title, fingerprint',
    'alerts',
    "project_id = ? and fingerprint = wanted.value and fingerprint is not null and status <> 'resolved'",
  );

export class KnexAlertRepository implements AlertRepository {
  constructor(private readonly session: Session) {}

  holdNumbers(projectId: ProjectId): Promise<number> {
    return holdNumbers(this.session, projectId, 'alert');
  }

  async open(alerts: readonly NewAlert[]): Promise<readonly number[]> {
    const [first] = alerts;
    if (first === undefined) return [];
    const { session } = this;
    const [rows] = await together([
      INSERT<{ readonly id: number; readonly iid: number }>(
        session,
        alerts.map((alert) => valuesOf(alert, session.dialect)),
      ),
      takeNumbers(session, first.projectId, 'alert', alerts.length),
    ]);
    if (rows.length < alerts.length) throw new Overtaken('Another alert of the same fingerprint was reopened.');
    const ids = new Map(rows.map(({ id, iid }) => [iid, id]));
    return alerts.map(({ iid }) => ids.get(iid)!);
  }

  async takeOpen(projectId: ProjectId, fingerprints: readonly string[]): Promise<readonly OpenAlert[]> {
    if (fingerprints.length === 0) return [];
    const { dialect } = this.session;
    const bindings = [dialect.writeTexts(fingerprints), projectId];
    const rows = await this.session.runPlannedAnew<OpenRow>(takeOpen(dialect), bindings);
    return rows.map(({ issue_id: issueId, ...row }) => ({ ...row, projectId, issueId }));
  }

  async take(id: number): Promise<Alert | undefined> {
    const { query, dialect } = this.session;
    const [row] = (await dialect.lockRows(query('alerts').where({ id }))) as AlertRow[];
    return row && toAlert(row, dialect);
  }

  async takeOfIssues(issueIds: readonly number[]): Promise<readonly Alert[]> {
    const { query, dialect } = this.session;
    const ofIssues = query('alerts')
      .whereIn('issue_id', [...issueIds])
      .orderBy('fingerprint');
    return ((await dialect.lockRows(ofIssues)) as AlertRow[]).map((row) => toAlert(row, dialect));
  }

  async countRepeats(repeats: readonly Repeats[]): Promise<void> {
    if (repeats.length === 0) return;
    const { dialect } = this.session;
    const sql = `update alerts set events = alerts.events + repeated.events, updated_at = repeated.updated_at
      from ${dialect.rowsAs('repeated', REPEATED)} where alerts.id = repeated.id`;
    const rows = repeats.map(({ id, times, at }) => [id, times, dialect.writeInstant(at)]);
    await this.session.run(sql, dialect.writeRows(REPEATED, rows));
  }

  async resolve(ends: readonly AlertEnd[]): Promise<void> {
    const { dialect } = this.session;
    const sql = `update alerts set status = 'resolved', ended_at = ended.ended_at, updated_at = ended.updated_at
      from ${dialect.rowsAs('ended', ENDED)} where alerts.id = ended.id`;
    const rows = ends.map(({ id, endedAt, at }) => [id, dialect.writeInstant(endedAt), dialect.writeInstant(at)]);
    await this.session.run(sql, dialect.writeRows(ENDED, rows));
  }

  async changeStatus(id: number, status: AlertStatus, endedAt: Date | null, at: Date): Promise<void> {
    const { query, dialect } = this.session;
    const update = query('alerts')
      .where({ id })
      .update({ status, ended_at: writeInstantOrNull(dialect, endedAt), updated_at: dialect.writeInstant(at) });
    await onUniqueViolation(update, REFUSALS);
  }

  async recordArrivals(arrivals: readonly NewArrival[]): Promise<void> {
    const { dialect } = this.session;
    const rows = arrivals.map(({ alertId, outcome, reason, at }) => [
      alertId,
      outcome,
      reason,
      dialect.writeInstant(at),
    ]);
    await INSERT_ARRIVALS(this.session, rows);
  }
}

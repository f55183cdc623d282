import type {
  AlertRepository,
  NewAlert,
  NewArrival,
  OpenAlert,
} from '../../../../../application/alerts/ports/alert-repositories.js';
import type { Alert, AlertStatus } from '../../../../../domain/alerts/alert.js';
import { rankOf } from '../../../../../domain/alerts/severity.js';
import { Conflict } from '../../../../../domain/shared/domain-error.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import { writeInstantOrNull } from '../dialect/nullable-instants.js';
import { onUniqueViolation } from '../dialect/on-unique-violation.js';
import { insertRows } from '../insert-rows.js';
import type { Session } from '../session.js';
import { holdNumbers, nextNumber } from '../shared/project-counter.js';
import { searchKey } from '../text-search.js';
import { toAlert, type AlertRow } from './alert-row.js';

const ALREADY_OPEN = () => new Conflict('Cannot have multiple unresolved alerts');
// The one names the index, the other its columns.
const REFUSALS = { alerts_one_open: ALREADY_OPEN, alerts_project_id_fingerprint_unique: ALREADY_OPEN };

const OPEN = `insert into alerts (project_id, integration_id, status, severity_rank, title, description, service, monitoring_tool,
    hosts, environment, fingerprint, search_key, started_at, events, payload, created_at, updated_at)
  values (?, ?, 'triggered', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?, ?)
  on conflict (project_id, fingerprint) where status <> 'resolved' and fingerprint is not null do nothing
  returning id`;

/** Each number of them is a statement of its own that connections keep. */
const FINGERPRINTS_AT_ONCE = 64;

interface OpenRow extends Omit<OpenAlert, 'projectId' | 'issueId'> {
  readonly issue_id: number | null;
}

export class KnexAlertRepository implements AlertRepository {
  constructor(private readonly session: Session) {}

  holdNumbers(projectId: ProjectId): Promise<void> {
    return holdNumbers(this.session, projectId, 'alert');
  }

  async open(alert: NewAlert): Promise<Alert | undefined> {
    const { session } = this;
    const { dialect } = session;
    const at = dialect.writeInstant(alert.createdAt);
    const [row] = await session.run<{ id: number }>(OPEN, [
      alert.projectId,
      alert.integrationId,
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
      alert.payload,
      at,
      at,
    ]);
    if (row === undefined) return undefined;
    const iid = await nextNumber(session, alert.projectId, 'alert');
    await session.run('update alerts set iid = ? where id = ?', [iid, row.id]);
    return {
      id: row.id,
      iid,
      issueId: null,
      status: 'triggered',
      endedAt: null,
      events: 1,
      updatedAt: alert.createdAt,
      projectId: alert.projectId,
      integrationId: alert.integrationId,
      severity: alert.severity,
      title: alert.title,
      description: alert.description,
      service: alert.service,
      monitoringTool: alert.monitoringTool,
      hosts: alert.hosts,
      environment: alert.environment,
      fingerprint: alert.fingerprint,
      startedAt: alert.startedAt,
      payload: alert.payload,
      createdAt: alert.createdAt,
    };
  }

  async takeOpen(projectId: ProjectId, fingerprints: readonly string[]): Promise<readonly OpenAlert[]> {
    const taken: OpenAlert[] = [];
    for (let start = 0; start < fingerprints.length; start += FINGERPRINTS_AT_ONCE) {
      const some = fingerprints.slice(start, start + FINGERPRINTS_AT_ONCE);
      const sql = `select id, iid, issue_id, title, fingerprint from alerts
        where project_id = ? and fingerprint in (${some.map(() => '?').join(', ')}) and status <> 'resolved'
        order by fingerprint ${this.session.dialect.rowLock}`;
      const rows = await this.session.run<OpenRow>(sql, [projectId, ...some]);
      for (const { issue_id: issueId, ...row } of rows) taken.push({ ...row, projectId, issueId });
    }
    return taken;
  }

  take(id: number): Promise<Alert | undefined> {
    return this.#take({ id });
  }

  takeOfIssue(issueId: number): Promise<Alert | undefined> {
    return this.#take({ issue_id: issueId });
  }

  async countRepeats(id: number, times: number, at: Date): Promise<void> {
    const { dialect } = this.session;
    const sql = 'update alerts set events = events + ?, updated_at = ? where id = ?';
    await this.session.run(sql, [times, dialect.writeInstant(at), id]);
  }

  async linkIssue(id: number, issueId: number): Promise<void> {
    await this.session.query('alerts').where({ id }).update({ issue_id: issueId });
  }

  async changeStatus(id: number, status: AlertStatus, endedAt: Date | null, at: Date): Promise<void> {
    const { query, dialect } = this.session;
    const update = query('alerts')
      .where({ id })
      .update({ status, ended_at: writeInstantOrNull(dialect, endedAt), updated_at: dialect.writeInstant(at) });
    await onUniqueViolation(update, REFUSALS);
  }

  recordArrivals(arrivals: readonly NewArrival[]): Promise<void> {
    const { dialect } = this.session;
    const rows = arrivals.map(({ alertId, outcome, reason, at }) => [
      alertId,
      outcome,
      reason,
      dialect.writeInstant(at),
    ]);
    return insertRows(this.session, 'alert_arrivals', ['alert_id', 'outcome', 'reason', 'arrived_at'], rows);
  }

  async #take(where: Readonly<Record<string, unknown>>): Promise<Alert | undefined> {
    const { query, dialect } = this.session;
    const [row] = (await dialect.lockRows(query('alerts').where(where))) as AlertRow[];
    return row && toAlert(row, dialect);
  }
}

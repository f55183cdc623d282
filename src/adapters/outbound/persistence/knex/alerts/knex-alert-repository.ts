import type { AlertRepository, NewAlert } from '../../../../../application/alerts/ports/alert-repositories.js';
import type { Alert, AlertStatus } from '../../../../../domain/alerts/alert.js';
import type { GroupingDecision } from '../../../../../domain/alerts/alert-grouping.js';
import { rankOf } from '../../../../../domain/alerts/severity.js';
import { Conflict } from '../../../../../domain/shared/domain-error.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import { writeInstantOrNull } from '../dialect/nullable-instants.js';
import { onUniqueViolation } from '../dialect/on-unique-violation.js';
import type { Session } from '../session.js';
import { nextNumber } from '../shared/project-counter.js';
import { searchKey } from '../text-search.js';
import { toAlert, type AlertRow } from './alert-row.js';

const ALREADY_OPEN = () => new Conflict('Cannot have multiple unresolved alerts');
// The one names the index, the other its columns.
const REFUSALS = { alerts_one_open: ALREADY_OPEN, alerts_project_id_fingerprint_unique: ALREADY_OPEN };

export class KnexAlertRepository implements AlertRepository {
  constructor(private readonly session: Session) {}

  async open(alert: NewAlert): Promise<Alert | undefined> {
    const { query, dialect } = this.session;
    const at = dialect.writeInstant(alert.createdAt);
    const [row] = (await query('alerts')
      .insert({
        project_id: alert.projectId,
        integration_id: alert.integrationId,
        status: 'triggered',
        severity_rank: rankOf(alert.severity),
        title: alert.title,
        description: alert.description,
        service: alert.service,
        monitoring_tool: alert.monitoringTool,
        hosts: JSON.stringify(alert.hosts),
        environment: alert.environment,
        fingerprint: alert.fingerprint,
        search_key: searchKey(alert.title, alert.description ?? '', alert.service ?? '', alert.monitoringTool ?? ''),
        started_at: dialect.writeInstant(alert.startedAt),
        events: 1,
        payload: alert.payload,
        created_at: at,
        updated_at: at,
      })
      .onConflict(query.raw("(project_id, fingerprint) where status <> 'resolved' and fingerprint is not null"))
      .ignore()
      .returning('*')) as AlertRow[];
    if (row === undefined) return undefined;
    const iid = await nextNumber(this.session, alert.projectId, 'alert');
    await query('alerts').where({ id: row.id }).update({ iid });
    return toAlert({ ...row, iid }, dialect);
  }

  takeOpen(projectId: ProjectId, fingerprint: string): Promise<Alert | undefined> {
    return this.#take({ project_id: projectId, fingerprint }, true);
  }

  take(id: number): Promise<Alert | undefined> {
    return this.#take({ id });
  }

  takeOfIssue(issueId: number): Promise<Alert | undefined> {
    return this.#take({ issue_id: issueId });
  }

  async countRepeat(id: number, at: Date): Promise<void> {
    const { query, dialect } = this.session;
    await query('alerts')
      .where({ id })
      .update({ events: query.raw('events + 1'), updated_at: dialect.writeInstant(at) });
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

  async recordArrival(
    alertId: number,
    { outcome, reason }: Pick<GroupingDecision, 'outcome' | 'reason'>,
    at: Date,
  ): Promise<void> {
    const { query, dialect } = this.session;
    await query('alert_arrivals').insert({ alert_id: alertId, outcome, reason, arrived_at: dialect.writeInstant(at) });
  }

  async #take(where: Readonly<Record<string, unknown>>, onlyOpen = false): Promise<Alert | undefined> {
    const { query, dialect } = this.session;
    const found = query('alerts').where(where);
    if (onlyOpen) void found.whereNot({ status: 'resolved' });
    const [row] = (await dialect.lockRows(found)) as AlertRow[];
    return row && toAlert(row, dialect);
  }
}

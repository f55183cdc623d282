import type { Knex } from 'knex';
import type {
  AlertDetails,
  AlertFilter,
  AlertQuery,
  AlertReader,
  Arrival,
  DailyAlerts,
  EnvironmentCounts,
  ListedAlert,
  OpenAlertCount,
} from '../../../../../application/alerts/ports/alert-readers.js';
import type { AlertSettings } from '../../../../../application/alerts/ports/alert-repositories.js';
import type { AlertStatus } from '../../../../../domain/alerts/alert.js';
import type { Viewer } from '../../../../../application/workspace/ports/workspace-readers.js';
import { PROJECT_PERMISSIONS } from '../../../../../domain/workspace/workspace-policy.js';
import { rankOf, severityOf } from '../../../../../domain/alerts/severity.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import { mapPage, type Page } from '../../../../../domain/shared/page.js';
import { pageOfRows } from '../page-of-rows.js';
import type { Session } from '../session.js';
import { textsWithin } from '../texts-within.js';
import { containsPattern } from '../text-search.js';
import { hasLevel, visibleProjects } from '../visibility/visible.js';
import { LISTED_COLUMNS, toAlert, type AlertRow } from './alert-row.js';
import { KnexAlertSettingsRepository } from './knex-alert-settings-repository.js';

type AlertDetailsRow = AlertRow & { readonly issue_iid: number | null };
type ListedRow = Omit<AlertDetailsRow, 'payload'> & { readonly bytes: number };

const LISTED = LISTED_COLUMNS.map((column) => `alerts.${column}`);

const ORDER = {
  started_at: 'alerts.started_at',
  ended_at: 'alerts.ended_at',
  created_at: 'alerts.created_at',
  updated_at: 'alerts.updated_at',
  events: 'alerts.events',
  severity: 'alerts.severity_rank',
  status: 'alerts.status',
  // What is searched begins with the title, whose capitals don't count there.
  title: 'substr(alerts.search_key, 1, 255)',
  // One without an incident comes before the first.
  incident: 'coalesce(issues.iid, 0)',
} as const satisfies Record<AlertQuery['orderBy'], string>;

const STATUS_RANK =
  "case alerts.status when 'triggered' then 0 when 'acknowledged' then 1 when 'resolved' then 2 else 3 end";

const OPEN: AlertStatus[] = ['triggered', 'acknowledged'];
const MOST_COUNTS = 100;

const narrow = (list: Knex.QueryBuilder, query: AlertFilter): void => {
  const { statuses, severity, environment, service, monitoringTool, search } = query;
  if (statuses !== undefined) void list.whereIn('alerts.status', [...statuses]);
  if (severity !== undefined) void list.where('alerts.severity_rank', rankOf(severity));
  if (environment !== undefined) void list.where('alerts.environment', environment);
  if (service !== undefined) void list.where('alerts.service', service);
  if (monitoringTool !== undefined) void list.where('alerts.monitoring_tool', monitoringTool);
  if (search !== undefined) void list.whereRaw("alerts.search_key like ? escape '\\'", [containsPattern(search)]);
};

export class KnexAlertReader implements AlertReader {
  constructor(private readonly session: Session) {}

  async find(projectId: ProjectId, iid: number): Promise<AlertDetails | undefined> {
    const found = this.#alerts(projectId)
      .where('alerts.iid', iid)
      .select(...LISTED, 'alerts.payload');
    const [row] = (await found) as AlertDetailsRow[];
    return row && this.#toDetails(row);
  }

  async list(query: AlertQuery): Promise<Page<ListedAlert>> {
    const { projectId, orderBy, sort, page } = query;
    const bytes = this.session.query.raw('octet_length(alerts.payload)');
    const list = this.#alerts(projectId).select(...LISTED, { bytes });
    narrow(list, query);
    // The worst first is what "descending" means of a severity and of a status.
    const turned = sort === 'asc' ? 'desc' : 'asc';
    if (orderBy === 'severity') void list.orderBy(ORDER.severity, turned);
    else if (orderBy === 'status') void list.orderByRaw(`${STATUS_RANK} ${turned}`);
    else void list.orderByRaw(`${ORDER[orderBy]} ${sort}`);
    void list.orderBy('alerts.id', sort);
    const found = await pageOfRows(this.session, list, page, (row: ListedRow) => row);
    const payloads = await textsWithin(found.items, query.payloadBytes, this.session.query('alerts'), 'payload');
    return mapPage(found, (row) => ({
      ...this.#toDetails({ ...row, payload: '' }),
      payload: payloads.get(row.id) ?? null,
    }));
  }

  async countByStatus(projectId: ProjectId): Promise<Readonly<Record<AlertStatus, number>>> {
    const rows = await this.session
      .query('alerts')
      .where({ project_id: projectId })
      .whereNotNull('iid')
      .groupBy('status')
      .select('status')
      .count({ count: '*' });
    const counts = { triggered: 0, acknowledged: 0, resolved: 0, ignored: 0 };
    for (const { status, count } of rows) counts[status] = Number(count);
    return counts;
  }

  async countOpen(viewer: Viewer): Promise<readonly OpenAlertCount[]> {
    const open = visibleProjects(this.session.query, viewer, (alerts) =>
      alerts.from('alerts').join('projects', 'projects.id', 'alerts.project_id'),
    )
      .where(hasLevel(PROJECT_PERMISSIONS.manage_alerts))
      .where('projects.archived', false)
      .whereIn('alerts.status', OPEN)
      .whereNotNull('alerts.iid')
      .groupBy('projects.full_path', 'alerts.severity_rank')
      .orderBy(['alerts.severity_rank', 'projects.full_path'])
      .limit(MOST_COUNTS)
      .select('projects.full_path', 'alerts.severity_rank')
      .count({ count: '*' });
    const rows = (await open) as { full_path: string; severity_rank: number; count: number | string }[];
    return rows.map(({ full_path, severity_rank, count }) => ({
      projectPath: full_path,
      severity: severityOf(severity_rank),
      count: Number(count),
    }));
  }

  async environments(projectId: ProjectId): Promise<readonly EnvironmentCounts[]> {
    const { query } = this.session;
    const rows = await query('alerts')
      .where({ project_id: projectId })
      .whereNotNull('iid')
      .whereNotNull('environment')
      .groupBy('environment')
      .orderBy('environment')
      .select('environment')
      .count({ total: '*' })
      .sum({ open: query.raw("case when status = 'resolved' then 0 else 1 end") });
    return rows.map(({ environment, total, open }) => ({
      name: environment ?? '',
      total: Number(total),
      open: Number(open),
    }));
  }

  async countByDay(filter: AlertFilter, from: Date, limit: number): Promise<readonly DailyAlerts[]> {
    const { query, dialect } = this.session;
    const latest = query('alerts')
      .where('alerts.project_id', filter.projectId)
      .whereNotNull('alerts.iid')
      .where('alerts.started_at', '>=', dialect.writeInstant(from))
      .orderBy('alerts.started_at', 'desc')
      .limit(limit)
      .select('alerts.started_at', 'alerts.severity_rank');
    narrow(latest, filter);
    const rows = (await query
      .from(latest.as('counted'))
      .select({ day: query.raw(dialect.dayOf('started_at')) }, 'severity_rank')
      .count({ count: '*' })
      .groupByRaw('1, 2')) as { day: string; severity_rank: number; count: number | string }[];
    return rows.map(({ day, severity_rank, count }) => ({
      day,
      severity: severityOf(severity_rank),
      count: Number(count),
    }));
  }

  async arrivals(alertId: number, limit: number): Promise<readonly Arrival[]> {
    const { query, dialect } = this.session;
    const rows = await query('alert_arrivals').where({ alert_id: alertId }).orderBy('id', 'desc').limit(limit);
    return rows.map(({ outcome, reason, arrived_at }) => ({ outcome, reason, at: dialect.readInstant(arrived_at) }));
  }

  settings(projectId: ProjectId): Promise<AlertSettings> {
    return new KnexAlertSettingsRepository(this.session).find(projectId);
  }

  #alerts(projectId: ProjectId) {
    return (
      this.session
        .query('alerts')
        .join('projects', 'projects.id', 'alerts.project_id')
        // Whoever reads alerts reads issues as well, where anybody does.
        .leftJoin('issues', (incident) => {
          incident.on('issues.id', 'alerts.issue_id').andOnVal('projects.issues_access_level', '<>', 'disabled');
        })
        .where('alerts.project_id', projectId)
        .whereNotNull('alerts.iid')
        .select({ issue_iid: 'issues.iid' })
    );
  }

  #toDetails(row: AlertDetailsRow): AlertDetails {
    return { ...toAlert(row, this.session.dialect), issueIid: row.issue_iid };
  }
}

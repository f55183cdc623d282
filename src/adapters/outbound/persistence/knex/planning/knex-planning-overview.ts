import type { Knex } from 'knex';
import type {
  DailyProgress,
  LabelCounts,
  PlanningOverview,
  Progress,
} from '../../../../../application/planning/ports/planning-overview.js';
import { together } from '../../../../../application/shared/together.js';
import type { Viewer } from '../../../../../application/workspace/ports/workspace-readers.js';
import { REPORTER, type IssueState } from '../../../../../domain/planning/issue.js';
import type { Label } from '../../../../../domain/planning/label.js';
import type { Milestone } from '../../../../../domain/planning/milestone.js';
import type { NamespaceId, ProjectId } from '../../../../../domain/shared/identifiers.js';
import { COUNT_LIMIT } from '../../../../../domain/shared/page.js';
import type { ProjectPermission } from '../../../../../domain/workspace/workspace-policy.js';
import type { Session } from '../session.js';
import { labelCounts, labelCountsIn } from './label-counts.js';
import { GROUP_MILESTONE_IDS, milestonesApart } from './milestone-ids.js';
import { byDueDate } from './page-of-milestones.js';
import { idsInside, lineageOf } from '../visibility/lineage.js';
import { keptForViewers } from '../visibility/kept-for-viewers.js';
import { visibleProjects, wherePermitted, whetherLevel } from '../visibility/visible.js';
import { plannedFor } from './planned-for.js';
import { toUsableLabel, usableLabels, type ListedLabelRow } from './usable-labels.js';
import { usableMilestones } from './usable-milestones.js';
import { visibleIssues } from './visible-issues.js';

interface CountRow {
  readonly milestone_id: number;
  readonly state: IssueState;
  readonly count: number | string;
}

interface OpenRow {
  readonly id: ProjectId;
  readonly open: number | string;
}

/** How many issues are open in projects, of those that the viewer sees. */
const openIn = keptForViewers<OpenRow>((query, viewer, among) => {
  const seen = visibleProjects(query, viewer)
    .where(among('projects.id'))
    .modify((open) => void wherePermitted(open, viewer, 'read_issues'))
    .select('projects.id', {
      // Whether confidential issues of others are shown as well.
      sees_all: viewer.admin ? query.raw('1') : whetherLevel(query, REPORTER),
    });
  // The state is written out: then its index answers on SQLite, too.
  const open = query
    .from('issues')
    .whereRaw("issues.project_id = seen.id and issues.state = 'opened'")
    .where((told) => void told.whereRaw('seen.sees_all = 1').orWhere('issues.confidential', false))
    .limit(COUNT_LIMIT)
    .select({ one: query.raw('1') });
  return query.from(seen.as('seen')).select('seen.id', { open: query.from(open.as('counted')).count('*') });
});

export class KnexPlanningOverview implements PlanningOverview {
  constructor(private readonly session: Session) {}

  async labelsNamed(projectId: ProjectId, names: readonly string[]): Promise<readonly Label[]> {
    if (names.length === 0) return [];
    const rows = (await usableLabels(this.session, projectId).whereIn('name', [...names])) as ListedLabelRow[];
    return rows.map(toUsableLabel);
  }

  async openMilestones(projectId: ProjectId, limit: number): Promise<readonly Pick<Milestone, 'id' | 'title'>[]> {
    const open = usableMilestones(this.session, projectId).where({ state: 'active' }).select('id', 'title');
    return (await byDueDate(open).limit(limit)) as Pick<Milestone, 'id' | 'title'>[];
  }

  labelNamesWithin(viewer: Viewer, group: NamespaceId, limit: number): Promise<readonly string[]> {
    const { query } = this.session;
    const ofProjects: Knex.QueryBuilder = query('labels')
      .whereIn('project_id', this.#livelyWithin(viewer, group, 'read_labels'))
      .select('name');
    const ofGroups = query('group_labels').whereIn('group_id', lineageOf(query, group).select('id')).select('name');
    const names = query.from(ofProjects.unionAll([ofGroups]).as('labels_there'));
    return names.groupBy('name').orderBy('name').limit(limit).pluck('name');
  }

  milestoneTitlesWithin(viewer: Viewer, group: NamespaceId, limit: number): Promise<readonly string[]> {
    const { query } = this.session;
    const ofProjects: Knex.QueryBuilder = query('milestones')
      .where('state', 'active')
      .whereIn('project_id', this.#livelyWithin(viewer, group, 'read_milestones'))
      .select('title', 'due_date');
    const ofGroups = query('group_milestones')
      .where('state', 'active')
      .whereIn('group_id', lineageOf(query, group).select('id'))
      .select('title', 'due_date');
    return query
      .from(ofProjects.unionAll([ofGroups]).as('milestones_there'))
      .groupBy('title')
      .orderByRaw('min(due_date) is null, min(due_date), title')
      .limit(limit)
      .pluck('title');
  }

  /** Projects that are not archived where the viewer may do this. */
  #livelyWithin(viewer: Viewer, group: NamespaceId, permission: ProjectPermission): Knex.QueryBuilder {
    const { query } = this.session;
    return wherePermitted(visibleProjects(query, viewer), viewer, permission)
      .where('projects.archived', false)
      .whereIn('projects.namespace_id', idsInside(query, group))
      .select('projects.id');
  }

  async progressOf(viewer: Viewer, milestoneIds: readonly number[]): Promise<ReadonlyMap<number, Progress>> {
    const { own, ofGroups } = milestonesApart(milestoneIds);
    const rows = (await together([this.#countsOf(viewer, own), this.#countsOfGroups(viewer, ofGroups)])).flat();
    const progress = new Map<number, Progress>();
    for (const { milestone_id: id, state, count } of rows) {
      const before = progress.get(id) ?? { open: 0, closed: 0 };
      progress.set(id, { ...before, [state === 'opened' ? 'open' : 'closed']: Number(count) });
    }
    return progress;
  }

  async #countsOf(viewer: Viewer, own: readonly number[]): Promise<readonly CountRow[]> {
    if (own.length === 0) return [];
    return (await visibleIssues(this.session.query, viewer)
      .whereIn('issues.milestone_id', [...own])
      .groupBy('issues.milestone_id', 'issues.state')
      .select('issues.milestone_id', 'issues.state')
      .count({ count: '*' })) as CountRow[];
  }

  /** In all projects together. */
  async #countsOfGroups(viewer: Viewer, ids: readonly number[]): Promise<readonly CountRow[]> {
    if (ids.length === 0) return [];
    const { query } = this.session;
    const counted = visibleIssues(query, viewer)
      .join('milestones', 'milestones.id', 'issues.milestone_id')
      .whereIn('milestones.group_milestone_id', [...ids])
      .groupBy('milestones.group_milestone_id', 'issues.state')
      .select({ milestone_id: query.raw(`milestones.group_milestone_id + ${GROUP_MILESTONE_IDS}`) }, 'issues.state')
      .count({ count: '*' });
    return (await counted) as CountRow[];
  }

  async openIssuesOf(viewer: Viewer, projectIds: readonly ProjectId[]): Promise<ReadonlyMap<ProjectId, number>> {
    const rows = await openIn(this.session, viewer, projectIds);
    return new Map(rows.map((row) => [row.id, Number(row.open)]));
  }

  labelCounts(
    viewer: Viewer,
    labelIds: readonly number[],
    projectId?: ProjectId,
  ): Promise<ReadonlyMap<number, LabelCounts>> {
    return projectId === undefined
      ? labelCounts(this.session, viewer, labelIds)
      : labelCountsIn(this.session, viewer, labelIds, projectId);
  }

  async dailyProgressOf(viewer: Viewer, milestoneId: number, limit: number): Promise<DailyProgress> {
    const { query } = this.session;
    const joined = query('resource_events')
      .whereRaw('resource_events.subject_id = issues.id')
      .where({ kind: 'milestone', action: 'add' })
      .where((to) => void plannedFor(to, 'resource_events.milestone_id', milestoneId))
      .max('resource_events.created_at');
    const issues = visibleIssues(query, viewer)
      .where((planned) => void plannedFor(planned, 'issues.milestone_id', milestoneId))
      .limit(limit)
      .select('issues.state', 'issues.created_at', 'issues.closed_at', { joined_at: joined });
    const [joins, ends] = await Promise.all([
      this.#countByDay(issues.clone(), 'coalesce(joined_at, created_at)'),
      this.#countByDay(issues.clone().where('issues.state', 'closed'), 'closed_at'),
    ]);
    return { joined: joins, closed: ends };
  }

  async #countByDay(issues: Knex.QueryBuilder, instant: string): Promise<ReadonlyMap<string, number>> {
    const { query, dialect } = this.session;
    const rows = (await query
      .from(issues.as('counted'))
      .select({ day: query.raw(dialect.dayOf(instant)) })
      .count({ count: '*' })
      .groupByRaw('1')) as { readonly day: string; readonly count: number | string }[];
    return new Map(rows.map(({ day, count }) => [day, Number(count)]));
  }
}

import type { Knex } from 'knex';
import type {
  DailyProgress,
  LabelCounts,
  PlanningOverview,
  Progress,
} from '../../../../../application/planning/ports/planning-overview.js';
import type { Viewer } from '../../../../../application/workspace/ports/workspace-readers.js';
import { REPORTER, type IssueState } from '../../../../../domain/planning/issue.js';
import type { Label } from '../../../../../domain/planning/label.js';
import type { Milestone } from '../../../../../domain/planning/milestone.js';
import type { NamespaceId, ProjectId } from '../../../../../domain/shared/identifiers.js';
import { COUNT_LIMIT } from '../../../../../domain/shared/page.js';
import type { Session } from '../session.js';
import { labelCounts, labelCountsIn } from './label-counts.js';
import { byDueDate } from './knex-milestone-reader.js';
import { idsInside, lineageOf } from '../visibility/lineage.js';
import { keptForViewers } from '../visibility/kept-for-viewers.js';
import { visibleProjects, wherePermitted, whetherLevel } from '../visibility/visible.js';
import { toUsableLabel, usableLabels, type ListedLabelRow } from './usable-labels.js';
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
    const open = this.session
      .query('milestones')
      .where({ project_id: projectId, state: 'active' })
      .select('id', 'title');
    return (await byDueDate(open).limit(limit)) as Pick<Milestone, 'id' | 'title'>[];
  }

  labelNamesWithin(viewer: Viewer, group: NamespaceId, limit: number): Promise<readonly string[]> {
    const { query } = this.session;
    const ofProjects: Knex.QueryBuilder = query('labels')
      .whereIn('project_id', this.#livelyWithin(viewer, group))
      .select('name');
    const ofGroups = query('group_labels').whereIn('group_id', lineageOf(query, group).select('id')).select('name');
    const names = query.from(ofProjects.unionAll([ofGroups]).as('labels_there'));
    return names.groupBy('name').orderBy('name').limit(limit).pluck('name');
  }

  milestoneTitlesWithin(viewer: Viewer, group: NamespaceId, limit: number): Promise<readonly string[]> {
    const open = this.session.query('milestones').where('state', 'active');
    return open
      .whereIn('project_id', this.#livelyWithin(viewer, group))
      .groupBy('title')
      .orderByRaw('min(due_date) is null, min(due_date), title')
      .limit(limit)
      .pluck('title');
  }

  #livelyWithin(viewer: Viewer, group: NamespaceId): Knex.QueryBuilder {
    const { query } = this.session;
    return visibleProjects(query, viewer)
      .where('projects.archived', false)
      .whereIn('projects.namespace_id', idsInside(query, group))
      .select('projects.id');
  }

  async progressOf(viewer: Viewer, milestoneIds: readonly number[]): Promise<ReadonlyMap<number, Progress>> {
    if (milestoneIds.length === 0) return new Map();
    const rows = (await visibleIssues(this.session.query, viewer)
      .whereIn('issues.milestone_id', [...milestoneIds])
      .groupBy('issues.milestone_id', 'issues.state')
      .select('issues.milestone_id', 'issues.state')
      .count({ count: '*' })) as CountRow[];
    const progress = new Map<number, Progress>();
    for (const { milestone_id: id, state, count } of rows) {
      const before = progress.get(id) ?? { open: 0, closed: 0 };
      progress.set(id, { ...before, [state === 'opened' ? 'open' : 'closed']: Number(count) });
    }
    return progress;
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
      .where({ kind: 'milestone', action: 'add', milestone_id: milestoneId })
      .max('resource_events.created_at');
    const issues = visibleIssues(query, viewer)
      .where('issues.milestone_id', milestoneId)
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

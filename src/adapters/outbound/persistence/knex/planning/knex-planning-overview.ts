import type { PlanningOverview, Progress } from '../../../../../application/planning/ports/planning-overview.js';
import type { Viewer } from '../../../../../application/workspace/ports/workspace-readers.js';
import type { IssueState } from '../../../../../domain/planning/issue.js';
import type { Label } from '../../../../../domain/planning/label.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { Session } from '../session.js';
import { toLabel } from './knex-label-repository.js';
import { visibleIssues } from './visible-issues.js';

interface CountRow {
  readonly milestone_id: number;
  readonly state: IssueState;
  readonly count: number | string;
}

export class KnexPlanningOverview implements PlanningOverview {
  constructor(private readonly session: Session) {}

  async labelsNamed(projectId: ProjectId, names: readonly string[]): Promise<readonly Label[]> {
    if (names.length === 0) return [];
    const rows = await this.session
      .query('labels')
      .where({ project_id: projectId })
      .whereIn('name', [...names]);
    return rows.map(toLabel);
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
}

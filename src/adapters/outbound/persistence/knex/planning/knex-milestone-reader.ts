import type {
  MilestoneDetails,
  MilestoneQuery,
  MilestoneReader,
} from '../../../../../application/planning/ports/planning-readers.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { PageInBatches } from '../../../../../application/shared/page-in-batches.js';
import type { Session } from '../session.js';
import { detailsOfRows } from './milestone-details.js';
import { idOfMilestone } from './milestone-ids.js';
import { pageOfMilestones } from './page-of-milestones.js';
import { ownMilestones, usableMilestones } from './usable-milestones.js';

export class KnexMilestoneReader implements MilestoneReader {
  constructor(private readonly session: Session) {}

  async find(
    projectId: ProjectId,
    which: { readonly id: number } | { readonly iid: number },
  ): Promise<MilestoneDetails | undefined> {
    const found = await detailsOfRows(this.session, (rows) => {
      void rows.where('milestones.project_id', projectId);
      // By its number somebody may ask for one that has become a milestone of the group since.
      if ('iid' in which) return rows.where('milestones.iid', which.iid);
      return rows.where('milestones.id', which.id).whereNull('milestones.group_milestone_id');
    });
    return [...found.values()][0];
  }

  async findAll(projectId: ProjectId, rowIds: readonly number[]): Promise<readonly MilestoneDetails[]> {
    if (rowIds.length === 0) return [];
    const found = await detailsOfRows(this.session, (rows) =>
      rows.where('milestones.project_id', projectId).whereIn('milestones.id', [...rowIds]),
    );
    return rowIds.flatMap((id) => found.get(id) ?? []);
  }

  async knownAs(rowIds: readonly number[]): Promise<ReadonlyMap<number, number>> {
    if (rowIds.length === 0) return new Map();
    const { query } = this.session;
    const rows = await query('milestones')
      .whereIn('id', [...rowIds])
      .select('id', 'group_milestone_id');
    return new Map(rows.map((row) => [row.id, idOfMilestone(row)]));
  }

  list({ projectId, withThoseAbove = false, ...narrowed }: MilestoneQuery): Promise<PageInBatches<MilestoneDetails>> {
    const { session } = this;
    const list = withThoseAbove ? usableMilestones(session, projectId) : ownMilestones(session.query, projectId);
    return pageOfMilestones(session, list, narrowed);
  }
}

import type {
  GroupMilestoneQuery,
  GroupMilestoneReader,
} from '../../../../../application/planning/ports/group-milestones.js';
import type { MilestoneDetails } from '../../../../../application/planning/ports/planning-readers.js';
import type { PageInBatches } from '../../../../../application/shared/page-in-batches.js';
import type { GroupId } from '../../../../../domain/shared/identifiers.js';
import type { Session } from '../session.js';
import { lineageOf } from '../visibility/lineage.js';
import { milestoneDetails } from './milestone-details.js';
import { GROUP_MILESTONE_IDS, groupMilestoneIn } from './milestone-ids.js';
import { pageOfMilestones } from './page-of-milestones.js';
import { columnsOfGroupMilestones } from './usable-milestones.js';

export class KnexGroupMilestoneReader implements GroupMilestoneReader {
  constructor(private readonly session: Session) {}

  async find(
    groupId: GroupId,
    which: { readonly id: number } | { readonly iid: number },
  ): Promise<MilestoneDetails | undefined> {
    const { query } = this.session;
    const named = 'id' in which ? { id: groupMilestoneIn(which.id) ?? 0 } : which;
    const row = await query('group_milestones')
      .where({ group_id: groupId, ...named })
      .first('id');
    return row && (await milestoneDetails(this.session, [GROUP_MILESTONE_IDS + row.id]))[0];
  }

  list({ groupId, withThoseAbove, ...narrowed }: GroupMilestoneQuery): Promise<PageInBatches<MilestoneDetails>> {
    const { query } = this.session;
    const groups = withThoseAbove ? lineageOf(query, groupId).select('id') : [groupId];
    const list = query('group_milestones')
      .whereIn('group_id', groups)
      .select(...columnsOfGroupMilestones(query));
    return pageOfMilestones(this.session, list, narrowed);
  }
}

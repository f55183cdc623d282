import type { Knex } from 'knex';
import { groupMilestoneIn } from './milestone-ids.js';

/**
 * Narrows a query to what refers to a milestone: to one of a group, of whichever project.
 *
 * @param id as everybody knows it.
 */
export const plannedFor = (list: Knex.QueryBuilder, column: string, id: number): Knex.QueryBuilder => {
  const groupMilestoneId = groupMilestoneIn(id);
  if (groupMilestoneId === undefined) return list.where(column, id);
  return list.whereIn(
    column,
    (used) =>
      void used.from('milestones').where('milestones.group_milestone_id', groupMilestoneId).select('milestones.id'),
  );
};

import type { Knex } from 'knex';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { Session } from '../session.js';
import { lineageOf } from '../visibility/lineage.js';
import { GROUP_MILESTONE_IDS } from './milestone-ids.js';

const NARROWED_BY = ['iid', 'title', 'state', 'search_key', 'due_date', 'updated_at'];

const columnsOf = (query: Knex, table: 'milestones' | 'group_milestones') => [
  ...NARROWED_BY.map((column) => `${table}.${column}`),
  { bytes: query.raw(`octet_length(${table}.description)`) },
];

/** The milestones of a project itself, with what lists narrow and order them by. */
export const ownMilestones = (query: Knex, projectId: ProjectId): Knex.QueryBuilder =>
  query('milestones')
    .where({ project_id: projectId })
    .whereNull('group_milestone_id')
    .select('milestones.id', ...columnsOf(query, 'milestones'));

/** The same of rows of `group_milestones`. */
export const columnsOfGroupMilestones = (query: Knex) => [
  { id: query.raw(`group_milestones.id + ${GROUP_MILESTONE_IDS}`) },
  ...columnsOf(query, 'group_milestones'),
];

/** Milestones of groups above a project, of each title the nearest, where the project has none of that title itself. */
const ofGroupsAbove = (query: Knex, projectId: ProjectId): Knex.QueryBuilder => {
  const namespace = query('projects').where({ id: projectId }).select('namespace_id');
  const ranked = query
    .from(lineageOf(query, namespace).select('id', 'distance').as('above'))
    .join('group_milestones', 'group_milestones.group_id', 'above.id')
    .leftJoin({ used: 'milestones' }, (join) => {
      join.on('used.title', 'group_milestones.title').andOnVal('used.project_id', projectId);
    })
    .whereRaw('(used.id is null or used.group_milestone_id = group_milestones.id)')
    .select(...columnsOfGroupMilestones(query), {
      place: query.raw('row_number() over (partition by group_milestones.title order by above.distance)'),
    });
  return query
    .from(ranked.as('ranked'))
    .where('place', 1)
    .select('id', ...NARROWED_BY, 'bytes');
};

/** `usable`: the milestones that issues and merge requests of a project can have, whether any has it yet or not. */
export const usableMilestones = ({ query }: Session, projectId: ProjectId): Knex.QueryBuilder =>
  query.from(
    ownMilestones(query, projectId)
      .unionAll([ofGroupsAbove(query, projectId)])
      .as('usable'),
  );

import type { Knex } from 'knex';
import type { NamespaceId, ProjectId, UserId } from '../../../../../domain/shared/identifiers.js';
import { ACCESS_LEVEL } from '../../../../../domain/shared/access-level.js';
import { lineageOf, type IdOrQuery } from './lineage.js';
import { unexpired } from './memberships.js';
import { lowerLevel, sharedLineage } from './shared-projects.js';

export interface LevelsQuery {
  readonly today: string;
  /** Whose levels; everybody's without it. */
  readonly of?: readonly UserId[];
}

const narrowed = (levels: Knex.QueryBuilder, column: string, of: LevelsQuery['of']): Knex.QueryBuilder =>
  of === undefined ? levels : levels.whereIn(column, [...of]);

/** `user_id` and `level` of the members of a project itself. */
export const directLevelsIn = (
  query: Knex,
  id: IdOrQuery<ProjectId>,
  { today, of }: LevelsQuery,
): Knex.QueryBuilder => {
  const members = query('project_members').where('project_id', id).andWhere(unexpired('project_members', today));
  return narrowed(members, 'user_id', of).select('user_id', { level: 'access_level' });
};

/** `user_id` and `level` of the members of the groups that a project is shared with; some have several. */
export const sharedLevelsIn = (
  query: Knex,
  id: IdOrQuery<ProjectId>,
  { today, of }: LevelsQuery,
): Knex.QueryBuilder => {
  const members = query
    .from(sharedLineage(query, id, today).select('shared.id', 'shared.access_level').as('shared'))
    .join('group_members', 'group_members.namespace_id', 'shared.id')
    .andWhere(unexpired('group_members', today));
  const level = query.raw(`${lowerLevel('shared.access_level', 'group_members.access_level')} as level`);
  return narrowed(members, 'user_id', of).select('user_id', level);
};

/** Queries of `user_id` and `level`: members of a namespace and of those that hold it, and its owner. */
export const levelsInNamespace = (
  query: Knex,
  id: IdOrQuery<NamespaceId>,
  { today, of }: LevelsQuery,
): [members: Knex.QueryBuilder, owner: Knex.QueryBuilder] => {
  const members = query('group_members')
    .whereIn('namespace_id', lineageOf(query, id).select('id'))
    .andWhere(unexpired('group_members', today));
  const owner = query('namespaces').where('id', id).whereNotNull('owner_id');
  return [
    narrowed(members, 'user_id', of).select('user_id', { level: 'access_level' }),
    narrowed(owner, 'owner_id', of).select(
      { user_id: 'owner_id' },
      query.raw('cast(? as integer) as level', [ACCESS_LEVEL.owner]),
    ),
  ];
};

/** Queries of `user_id` and `level`: everybody who has a level in a project; some have several. */
export const levelsIn = (
  query: Knex,
  { id, namespaceId }: { readonly id: ProjectId; readonly namespaceId: NamespaceId },
  who: LevelsQuery,
): Knex.QueryBuilder[] => [
  directLevelsIn(query, id, who),
  sharedLevelsIn(query, id, who),
  ...levelsInNamespace(query, namespaceId, who),
];

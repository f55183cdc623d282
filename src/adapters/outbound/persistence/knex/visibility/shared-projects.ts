import type { Knex } from 'knex';
import type { Viewer } from '../../../../../application/workspace/ports/workspace-readers.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { IdOrQuery } from './lineage.js';
import { unexpired } from './memberships.js';

/** Of a query that has both: a member of a group has no more in a project than they have in the group, or than the link gives. */
export const lowerLevel = (link: string, member: string): string =>
  `case when ${link} < ${member} then ${link} else ${member} end`;

/**
 * A query from `shared(group_id, access_level, expires_at, id, parent_id)`: the groups that a project is shared with, each as `id` with all
 * that hold it, since their members are members of the group.
 */
export const sharedLineage = (query: Knex, projectId: IdOrQuery<ProjectId>, today: string): Knex.QueryBuilder =>
  query
    .withRecursive('shared', (tree) => {
      void tree
        .select(
          'project_group_links.group_id',
          'project_group_links.access_level',
          'project_group_links.expires_at',
          'namespaces.id',
          'namespaces.parent_id',
        )
        .from('project_group_links')
        .join('namespaces', 'namespaces.id', 'project_group_links.group_id')
        .where('project_group_links.project_id', projectId)
        .andWhere(unexpired('project_group_links', today))
        .unionAll((parents) => {
          void parents
            .select(
              'shared.group_id',
              'shared.access_level',
              'shared.expires_at',
              'namespaces.id',
              'namespaces.parent_id',
            )
            .from('namespaces')
            .join('shared', 'namespaces.id', 'shared.parent_id');
        });
    })
    .from('shared');

/**
 * Adds to a query of `withReach` the common table expression `shared(project_id, level)`: the highest level in each project that is shared
 * with a group of the viewer, or with one below it.
 */
export const withShared = (list: Knex.QueryBuilder, query: Knex, { today }: Viewer): Knex.QueryBuilder =>
  list.with('shared', (shared) => {
    const level = query.raw(`max(${lowerLevel('project_group_links.access_level', 'spread.level')}) as level`);
    void shared
      .from('spread')
      // In this order: else SQLite would read every link, to have them grouped.
      .joinRaw('cross join project_group_links')
      .whereRaw('project_group_links.group_id = spread.namespace_id')
      .andWhere(unexpired('project_group_links', today))
      .groupBy('project_group_links.project_id')
      .select('project_group_links.project_id', level);
  });

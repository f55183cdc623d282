import type { Knex } from 'knex';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';

/**
 * Queries of open merge requests that lead to a branch, and of those that come from it. Two, since one of the databases finds no plan for
 * a choice of two indexes beside a partial one.
 */
export const openAround = (
  query: Knex,
  projectId: ProjectId,
  branch: string,
): readonly [leading: Knex.QueryBuilder, coming: Knex.QueryBuilder] => [
  query('merge_requests').where({ project_id: projectId, target_branch: branch, state: 'opened' }),
  query('merge_requests').where({ source_project_id: projectId, source_branch: branch, state: 'opened' }),
];

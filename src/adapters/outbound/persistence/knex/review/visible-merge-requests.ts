import type { Knex } from 'knex';
import type { Viewer } from '../../../../../application/workspace/ports/workspace-readers.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import { readableCode, visibleProjects } from '../visibility/visible.js';

/** The merge requests of projects whose code the viewer may read. */
export const visibleMergeRequests = (query: Knex, viewer: Viewer): Knex.QueryBuilder => {
  const list = visibleProjects(query, viewer, (from) =>
    from.from('merge_requests').join('projects', 'projects.id', 'merge_requests.project_id'),
  );
  return readableCode(list, viewer);
};

/** The same of one project: what the viewer may see there is asked once, not of each. */
export const visibleMergeRequestsOf = (query: Knex, viewer: Viewer, projectId: ProjectId): Knex.QueryBuilder => {
  const project = visibleProjects(query, viewer).where('projects.id', projectId).select(query.raw('1 as one'));
  const list = query('merge_requests').where('merge_requests.project_id', projectId);
  return list.whereExists(readableCode(project, viewer));
};

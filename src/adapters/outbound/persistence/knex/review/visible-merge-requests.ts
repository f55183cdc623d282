import type { Knex } from 'knex';
import type { Viewer } from '../../../../../application/workspace/ports/workspace-readers.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import { visibleProjects, wherePermitted } from '../visibility/visible.js';

/** The merge requests that the viewer may read: what they show of projects is code. */
export const visibleMergeRequests = (query: Knex, viewer: Viewer): Knex.QueryBuilder => {
  const list = visibleProjects(query, viewer, (from) =>
    from.from('merge_requests').join('projects', 'projects.id', 'merge_requests.project_id'),
  );
  return wherePermitted(list, viewer, 'read_merge_requests');
};

/** The same of one project: what the viewer may see there is asked once, not of each. */
export const visibleMergeRequestsOf = (query: Knex, viewer: Viewer, projectId: ProjectId): Knex.QueryBuilder => {
  const project = visibleProjects(query, viewer).where('projects.id', projectId).select(query.raw('1 as one'));
  const list = query('merge_requests').where('merge_requests.project_id', projectId);
  return list.whereExists(wherePermitted(project, viewer, 'read_merge_requests'));
};

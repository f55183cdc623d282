import type { Knex } from 'knex';
import type { Viewer } from '../../../../../application/workspace/ports/workspace-readers.js';
import { ACCESS_LEVEL } from '../../../../../domain/shared/access-level.js';
import { hasLevel, openTo, visibleProjects } from '../visibility/visible.js';

/** The merge requests of projects whose code the viewer may read. */
export const visibleMergeRequests = (query: Knex, viewer: Viewer): Knex.QueryBuilder => {
  const list = visibleProjects(query, viewer, (from) =>
    from.from('merge_requests').join('projects', 'projects.id', 'merge_requests.project_id'),
  );
  if (viewer.admin) return list;
  return list.where((reading) => {
    void reading.whereIn('projects.visibility', openTo(viewer)).orWhere(hasLevel(ACCESS_LEVEL.reporter));
  });
};

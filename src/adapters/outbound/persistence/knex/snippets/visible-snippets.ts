import type { Knex } from 'knex';
import type { Viewer } from '../../../../../application/workspace/ports/workspace-readers.js';
import { ACCESS_LEVEL } from '../../../../../domain/shared/access-level.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import { hasLevel, openTo, visibleProjects, wherePermitted } from '../visibility/visible.js';

/** Narrows snippets to those of projects that the viewer sees; private ones where they are members. */
export const seenInProjects = (
  query: Knex,
  snippets: Knex.QueryBuilder,
  viewer: Viewer,
  of: ProjectId | 'all' = 'all',
): void => {
  const projects = (): Knex.QueryBuilder => {
    const list = wherePermitted(visibleProjects(query, viewer), viewer, 'read_snippets').select('projects.id');
    return of === 'all' ? list : list.where('projects.id', of);
  };
  void snippets.whereIn('snippets.project_id', projects());
  if (viewer.admin) return;
  void snippets.where((seen) => {
    openOrBy(seen, viewer);
    void seen.orWhereIn('snippets.project_id', projects().where(hasLevel(ACCESS_LEVEL.guest)));
  });
};

/** Narrows snippets to those that are open to the viewer, or their own. */
export const openOrBy = (snippets: Knex.QueryBuilder, viewer: Viewer): void => {
  void snippets.whereIn('snippets.visibility', openTo(viewer));
  if (viewer.userId !== null) void snippets.orWhere('snippets.author_id', viewer.userId);
};

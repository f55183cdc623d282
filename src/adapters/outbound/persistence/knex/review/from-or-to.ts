import type { Knex } from 'knex';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';

/** Of merge requests those that come from a project, or lead to it. */
export const fromOrTo = (mergeRequests: Knex.QueryBuilder, projectId: ProjectId): Knex.QueryBuilder =>
  mergeRequests.where(
    (either) =>
      void either.where('merge_requests.project_id', projectId).orWhere('merge_requests.source_project_id', projectId),
  );

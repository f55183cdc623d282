import type { Knex } from 'knex';

/** Leaves merge requests that brought one of these commits, or would. */
export const whichBrought = (query: Knex, list: Knex.QueryBuilder, commits: readonly string[]): Knex.QueryBuilder =>
  list.where((brought) => {
    void brought
      .whereIn('merge_requests.merge_commit_sha', [...commits])
      .orWhereIn('merge_requests.squash_commit_sha', [...commits])
      .orWhereIn(
        'merge_requests.id',
        query('merge_request_versions')
          .whereIn('head_sha', [...commits])
          .select('merge_request_id'),
      );
  });

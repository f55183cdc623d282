// Logs of jobs may go some time after they were written to last.
export const up = async (knex) => {
  await knex.schema.alterTable('ci_jobs', (table) => {
    table.timestamp('log_written_at');
    table.timestamp('log_removed_at');
  });
  await knex('ci_jobs')
    .where('log_bytes', '>', 0)
    .update({
      log_written_at: knex('commit_statuses')
        .whereRaw('commit_statuses.id = ci_jobs.id')
        .select(knex.raw('coalesce(finished_at, created_at)')),
    });
  await knex.schema.alterTable('ci_jobs', (table) =>
    table.index(['log_written_at', 'id'], 'ci_jobs_logs', { predicate: knex.whereNotNull('log_written_at') }),
  );
};

export const down = (knex) =>
  knex.schema.alterTable('ci_jobs', (table) => {
    table.dropIndex([], 'ci_jobs_logs');
    table.dropColumns('log_written_at', 'log_removed_at');
  });

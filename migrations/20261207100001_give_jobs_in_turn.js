// Jobs of a project that has few running come first, and how long a job may run is kept with it.
const WAITING = 'ci_jobs_waiting';
const ALIVE = 'ci_jobs_alive';

export const up = async (knex) => {
  await knex.schema.alterTable('pipelines', (table) => table.index(['project_id', 'status', 'id']));
  await knex.schema.alterTable('ci_jobs', (table) => {
    table.integer('timeout_seconds');
    table.index(['project_id', 'queued_at', 'id', 'queue_tags'], WAITING, {
      predicate: knex.whereNotNull('queue_tags'),
    });
    table.index(['project_id', 'queue_tags'], ALIVE, { predicate: knex.whereNotNull('gives_up_at') });
  });
};

export const down = async (knex) => {
  await knex.schema.alterTable('pipelines', (table) => table.dropIndex(['project_id', 'status', 'id']));
  await knex.schema.alterTable('ci_jobs', (table) => {
    table.dropIndex([], WAITING);
    table.dropIndex([], ALIVE);
    table.dropColumn('timeout_seconds');
  });
};

// Jobs that begin some time after those before them have ended.
const DELAYED = 'ci_jobs_delayed';
const OF_PROJECT = 'ci_jobs_delayed_of_project';

export const up = async (knex) => {
  await knex.schema.alterTable('ci_jobs', (table) => {
    table.integer('start_in_seconds');
    // When it begins, once that is known; null otherwise.
    table.timestamp('begins_at');
  });
  await knex.schema.alterTable('ci_jobs', (table) => {
    table.index(['begins_at', 'pipeline_id'], DELAYED, { predicate: knex.whereNotNull('begins_at') });
    table.index(['project_id'], OF_PROJECT, { predicate: knex.whereNotNull('begins_at') });
  });
};

export const down = async (knex) => {
  await knex.schema.alterTable('ci_jobs', (table) => {
    table.dropIndex([], DELAYED);
    table.dropIndex([], OF_PROJECT);
  });
  // In SQL: on SQLite Knex would make the table anew, and the rows that refer to it would go.
  for (const column of ['start_in_seconds', 'begins_at']) await knex.raw(`alter table ci_jobs drop column ${column}`);
};

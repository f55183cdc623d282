// Jobs that begin some time after those before them have ended.
const DELAYED = 'ci_jobs_delayed';

export const up = async (knex) => {
  await knex.schema.alterTable('ci_jobs', (table) => {
    table.integer('start_in_seconds');
    // When it begins, once that is known; null otherwise.
    table.timestamp('begins_at');
  });
  await knex.schema.alterTable('ci_jobs', (table) =>
    table.index(['begins_at', 'id'], DELAYED, { predicate: knex.whereNotNull('begins_at') }),
  );
};

export const down = async (knex) => {
  await knex.schema.alterTable('ci_jobs', (table) => table.dropIndex([], DELAYED));
  await knex.schema.alterTable('ci_jobs', (table) => table.dropColumns('start_in_seconds', 'begins_at'));
};

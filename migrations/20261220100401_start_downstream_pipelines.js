// Jobs that start pipelines, and which of them started each. The number stays where its job is gone: a pipeline is made once for each.
const STARTED = 'pipelines_of_bridges';
const WAITING = 'ci_jobs_awaiting_pipelines';

export const up = async (knex) => {
  await knex.schema.alterTable('pipelines', (table) => {
    table.bigInteger('bridge_id');
    table.integer('depth').notNullable().defaultTo(0);
  });
  await knex.schema.alterTable('pipelines', (table) =>
    table.unique(['bridge_id'], { indexName: STARTED, predicate: knex.whereNotNull('bridge_id') }),
  );
  // What kind of pipeline it starts; null for all other jobs.
  await knex.schema.alterTable('ci_jobs', (table) => table.text('bridge'));
  await knex.schema.alterTable('ci_jobs', (table) =>
    table.index(['id'], WAITING, { predicate: knex.whereNotNull('bridge').whereNotNull('gives_up_at') }),
  );
};

export const down = async (knex) => {
  await knex.schema.alterTable('ci_jobs', (table) => table.dropIndex([], WAITING));
  await knex.schema.alterTable('pipelines', (table) => table.dropIndex([], STARTED));
  // In SQL: on SQLite Knex would make the tables anew, and the rows that refer to them would go.
  await knex.raw('alter table ci_jobs drop column bridge');
  for (const column of ['bridge_id', 'depth']) await knex.raw(`alter table pipelines drop column ${column}`);
};

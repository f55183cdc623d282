// What the CI file is given by a schedule, as JSON; null for nothing.
export const up = async (knex) => {
  await knex.schema.alterTable('pipeline_schedules', (table) => table.text('inputs'));
};

// In SQL: on SQLite Knex would make the table anew.
export const down = async (knex) => {
  await knex.raw('alter table pipeline_schedules drop column inputs');
};

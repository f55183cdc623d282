// Whether the log of a job may tell the variables that it was given.
export const up = (knex) =>
  knex.schema.alterTable('ci_jobs', (table) => table.boolean('debug').notNullable().defaultTo(false));

// In SQL: on SQLite Knex would make the table anew, and the rows that refer to it would go.
export const down = (knex) => knex.raw('alter table ci_jobs drop column debug');

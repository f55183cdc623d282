// What whoever begins a job by hand gives it.
export const up = (knex) => knex.schema.alterTable('ci_jobs', (table) => table.text('sealed_variables'));

// In SQL: on SQLite Knex would make the table anew, and the rows that refer to it would go.
export const down = (knex) => knex.raw('alter table ci_jobs drop column sealed_variables');

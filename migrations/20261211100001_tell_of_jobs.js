// How a job stood when receivers of the webhooks of its project were told of it last.
export const up = (knex) => knex.schema.alterTable('ci_jobs', (table) => void table.text('told_status'));

// In SQL: on SQLite Knex would make the table anew, and the rows that refer to it would go.
export const down = (knex) => knex.raw('alter table ci_jobs drop column told_status');

// The only branch that a fork gets; null for all of them, and the tags.
export const up = (knex) => knex.schema.alterTable('code_copies', (table) => table.text('branch'));

// In SQL: on SQLite Knex would make the table anew.
export const down = (knex) => knex.raw('alter table code_copies drop column branch');

// What a token is for, in the words of whoever made it.
export const up = (knex) => knex.schema.alterTable('personal_access_tokens', (table) => table.text('description'));

// In SQL: on SQLite Knex would make the table anew.
export const down = (knex) => knex.raw('alter table personal_access_tokens drop column description');

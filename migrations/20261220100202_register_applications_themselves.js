// Whether an application registered itself, so that nobody here has looked at it.
export const up = (knex) =>
  knex.schema.alterTable('oauth_applications', (table) => {
    table.boolean('self_registered').notNullable().defaultTo(false);
  });

// In SQL: on SQLite Knex would make the table anew, and the rows that refer to it would go.
export const down = (knex) => knex.raw('alter table oauth_applications drop column self_registered');

// Whether people may ask for access to a group.
export const up = (knex) =>
  knex.schema.alterTable('namespaces', (table) => {
    table.boolean('request_access_enabled').notNullable().defaultTo(true);
  });

// In SQL: on SQLite Knex would make the table anew, and the rows that refer to it would go.
export const down = (knex) => knex.raw('alter table namespaces drop column request_access_enabled');

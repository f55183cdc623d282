// Whether people may ask for access to a project. Of groups it is said in a transaction of its own: older nodes that serve meanwhile read both.
export const up = (knex) =>
  knex.schema.alterTable('projects', (table) => {
    table.boolean('request_access_enabled').notNullable().defaultTo(true);
  });

// In SQL: on SQLite Knex would make the table anew, and the rows that refer to it would go.
export const down = (knex) => knex.raw('alter table projects drop column request_access_enabled');

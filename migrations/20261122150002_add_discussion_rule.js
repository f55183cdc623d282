export const up = (knex) =>
  knex.schema.alterTable('projects', (table) => {
    table.boolean('discussions_must_be_resolved').notNullable().defaultTo(false);
  });

export const down = (knex) =>
  knex.schema.alterTable('projects', (table) => {
    table.dropColumn('discussions_must_be_resolved');
  });

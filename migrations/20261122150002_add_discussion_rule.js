export const up = (knex) =>
  knex.schema.alterTable('projects', (table) => {
    table.boolean('discussions_must_be_resolved').notNullable().defaultTo(false);
  });

// By hand: on one of the databases the builder would write the table anew, and all that refers to it would go with the old one.
export const down = (knex) => knex.raw('alter table projects drop column discussions_must_be_resolved');

/** Says of each ref which change of its repository moved it last, so that what was asked before a change doesn't concern what came with it. */
export const up = (knex) =>
  knex.schema.alterTable('refs', (table) => {
    table.bigInteger('version').notNullable().defaultTo(0);
  });

export const down = (knex) => knex.raw('alter table refs drop column version');

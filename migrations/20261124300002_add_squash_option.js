const COLUMNS = ['squash_option', 'printing_merge_request_link_enabled'];

export const up = (knex) =>
  knex.schema.alterTable('projects', (table) => {
    // Whether commits become one when they are merged: never, always, or as whoever opens it says, with a default.
    table.text('squash_option').notNullable().defaultTo('default_off');
    // Whether a push is answered with the address of the merge request of its branch.
    table.boolean('printing_merge_request_link_enabled').notNullable().defaultTo(true);
  });

export const down = async (knex) => {
  // By hand: on one of the databases the builder would write the table anew, and all that refers to it would go with the old one.
  for (const column of COLUMNS) await knex.raw(`alter table projects drop column ${column}`);
};

// Whether a newer push of a branch ends pipelines of older ones that have not begun.
export const up = (knex) =>
  knex.schema.alterTable('projects', (table) =>
    table.boolean('auto_cancel_pending_pipelines').notNullable().defaultTo(true),
  );

export const down = (knex) =>
  knex.schema.alterTable('projects', (table) => table.dropColumn('auto_cancel_pending_pipelines'));

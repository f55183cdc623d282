export const up = (knex) =>
  // When all was found well last.
  knex.schema.alterTable('repositories', (table) => table.timestamp('checked_at'));

export const down = (knex) => knex.raw('alter table repositories drop column checked_at');

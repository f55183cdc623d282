export const up = (knex) =>
  // When somebody asked for it last, beside what is due by itself.
  knex.schema.alterTable('repositories', (table) => table.timestamp('housekeeping_asked_at'));

export const down = (knex) => knex.raw('alter table repositories drop column housekeeping_asked_at');

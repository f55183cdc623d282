// Runners of a group, which take the jobs of all projects in it and below it. In SQL: on SQLite Knex would make the table anew for a column
// that refers to another, and the rows that refer to the old table would go with it.
export const up = async (knex) => {
  await knex.raw('alter table ci_runners add column namespace_id bigint references namespaces (id) on delete cascade');
  await knex.schema.alterTable('ci_runners', (table) => table.index(['namespace_id']));
};

export const down = async (knex) => {
  // An older program would give them the jobs of every project.
  await knex('ci_runners').whereNotNull('namespace_id').delete();
  await knex.schema.alterTable('ci_runners', (table) => table.dropIndex(['namespace_id']));
  await knex.raw('alter table ci_runners drop column namespace_id');
};

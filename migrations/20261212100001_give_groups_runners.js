// Runners of a group, which take the jobs of all projects in it and below it. Said as it is, for knex would make the table anew on SQLite,
// and with the one before would go what refers to it.
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

export const up = async (knex) => {
  // Objects that forks share: a store that never changes, and goes with the last of its members.
  await knex.schema.createTable('object_pools', (table) => {
    table.bigIncrements('id');
    table.text('store').notNullable().unique();
    // The repository whose objects it got, which may be gone. No reference: members refer to pools.
    table.bigInteger('source_id').notNullable().index();
    table.timestamp('created_at').notNullable();
    // No new member joins from then on.
    table.timestamp('removal_requested_at');
  });
  // By hand: the builder would copy the whole table on one of the databases.
  await knex.raw(
    'alter table repositories add column pool_id bigint constraint repositories_pool_id_foreign references object_pools (id) on delete set null',
  );
  await knex.schema.alterTable('repositories', (table) => table.index('pool_id'));
  // Code that is still to be copied into a project.
  await knex.schema.createTable('code_copies', (table) => {
    table.bigInteger('project_id').notNullable().references('projects.id').onDelete('cascade').primary();
    table.bigInteger('source_id').references('projects.id').onDelete('set null').index();
    table.integer('attempts').notNullable();
    table.timestamp('due_at').notNullable().index();
  });
};

export const down = async (knex) => {
  await knex.schema.dropTable('code_copies');
  await knex.schema.alterTable('repositories', (table) => table.dropIndex('pool_id'));
  await knex.raw('alter table repositories drop column pool_id');
  await knex.schema.dropTable('object_pools');
};

export const up = async (knex) => {
  await knex.schema.createTable('milestones', (table) => {
    table.bigIncrements('id');
    table.bigInteger('project_id').notNullable().references('projects.id').onDelete('cascade');
    table.bigInteger('iid').notNullable();
    table.text('title').notNullable();
    table.text('description').notNullable();
    table.text('search_key').notNullable();
    table.text('state').notNullable();
    table.text('start_date');
    table.text('due_date');
    table.timestamp('created_at').notNullable();
    table.timestamp('updated_at').notNullable();
    table.unique(['project_id', 'iid']);
    // Issues are asked for by the title of their milestone.
    table.unique(['project_id', 'title']);
  });
  // By hand: the builder would copy the whole table on one of the databases.
  await knex.raw(
    'alter table issues add column milestone_id bigint constraint issues_milestone_id_foreign references milestones (id) on delete set null',
  );
  await knex.schema.alterTable('issues', (table) => table.index('milestone_id'));
};

export const down = async (knex) => {
  await knex.schema.alterTable('issues', (table) => table.dropIndex('milestone_id'));
  await knex.raw('alter table issues drop column milestone_id');
  await knex.schema.dropTable('milestones');
};

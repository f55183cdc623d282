const keyText = (knex) => (knex.client.dialect === 'postgresql' ? 'text collate "C"' : 'text');

const createMembers = (knex, tableName, ownerColumn, ownerTable) =>
  knex.schema.createTable(tableName, (table) => {
    table.bigIncrements('id');
    table.bigInteger(ownerColumn).notNullable().references(`${ownerTable}.id`).onDelete('cascade');
    table.bigInteger('user_id').notNullable().references('users.id').onDelete('cascade').index();
    table.integer('access_level').notNullable();
    table.text('expires_at').index();
    table.timestamp('created_at').notNullable();
    table.unique([ownerColumn, 'user_id']);
  });

export const up = async (knex) => {
  // Groups and people's own namespaces share one table, so that one unique index guards every first part of a path.
  await knex.schema.createTable('namespaces', (table) => {
    table.bigIncrements('id');
    table.text('kind').notNullable();
    table.bigInteger('owner_id').references('users.id').onDelete('cascade').unique();
    table.bigInteger('parent_id').references('namespaces.id').onDelete('cascade').index();
    table.text('name').notNullable();
    table.specificType('name_key', keyText(knex)).notNullable();
    table.text('path').notNullable();
    table.text('full_path').notNullable();
    table.specificType('full_path_key', keyText(knex)).notNullable().unique();
    table.text('full_name').notNullable();
    table.text('description').notNullable();
    table.text('visibility').notNullable();
    table.timestamp('removal_requested_at');
    table.timestamp('created_at').notNullable();
    table.timestamp('updated_at').notNullable();
  });
  await knex.schema.createTable('projects', (table) => {
    table.bigIncrements('id');
    table.bigInteger('namespace_id').notNullable().references('namespaces.id').onDelete('cascade').index();
    table.text('name').notNullable();
    table.specificType('name_key', keyText(knex)).notNullable();
    table.text('path').notNullable();
    table.text('full_path').notNullable();
    table.specificType('full_path_key', keyText(knex)).notNullable().unique();
    table.specificType('search_key', keyText(knex)).notNullable();
    table.text('description');
    table.text('visibility').notNullable();
    table.text('default_branch');
    table.boolean('archived').notNullable();
    table.boolean('merge_when_pipeline_succeeds').notNullable();
    table.bigInteger('creator_id').references('users.id').onDelete('set null').index();
    table.timestamp('removal_requested_at');
    table.timestamp('created_at').notNullable();
    table.timestamp('updated_at').notNullable();
    table.timestamp('last_activity_at').notNullable();
    table.unique(['namespace_id', 'name_key']);
  });
  await createMembers(knex, 'group_members', 'namespace_id', 'namespaces');
  await createMembers(knex, 'project_members', 'project_id', 'projects');
};

export const down = async (knex) => {
  for (const table of ['project_members', 'group_members', 'projects', 'namespaces']) {
    await knex.schema.dropTable(table);
  }
};

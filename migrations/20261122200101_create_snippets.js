const keyText = (knex) => (knex.client.dialect === 'postgresql' ? 'text collate "C"' : 'text');

export const up = async (knex) => {
  await knex.schema.createTable('snippets', (table) => {
    table.bigIncrements('id');
    // Of a project, or of a person: it goes with what it is of.
    table.bigInteger('project_id').references('projects.id').onDelete('cascade');
    table.bigInteger('owner_id').references('users.id').onDelete('cascade');
    table.bigInteger('author_id').references('users.id').onDelete('set null').index();
    table.text('title').notNullable();
    table.text('search_key').notNullable();
    table.text('description');
    table.text('visibility').notNullable();
    // What it was made with, and from where: for administrators who look for abuse.
    table.text('creator_user_agent');
    table.text('creator_address');
    table.timestamp('created_at').notNullable();
    table.timestamp('updated_at').notNullable();
    table.index(['project_id', 'id']);
    table.index(['owner_id', 'id']);
    table.check('(project_id is null) <> (owner_id is null)', [], 'snippets_of_a_project_or_a_person');
  });
  await knex.raw('create index snippets_open_of_people on snippets (visibility, id) where project_id is null');
  await knex.schema.createTable('snippet_files', (table) => {
    table.bigIncrements('id');
    table.bigInteger('snippet_id').notNullable().references('snippets.id').onDelete('cascade');
    table.specificType('path', keyText(knex)).notNullable();
    table.text('content').notNullable();
    // How large the content is in UTF-8.
    table.integer('bytes').notNullable();
    table.unique(['snippet_id', 'path']);
  });
};

export const down = async (knex) => {
  await knex.schema.dropTable('snippet_files');
  await knex.schema.dropTable('snippets');
};

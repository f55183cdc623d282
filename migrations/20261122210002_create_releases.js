const keyText = (knex) => (knex.client.dialect === 'postgresql' ? 'text collate "C"' : 'text');

export const up = async (knex) => {
  await knex.schema.createTable('releases', (table) => {
    table.bigIncrements('id');
    table.bigInteger('project_id').notNullable().references('projects.id').onDelete('cascade');
    table.specificType('tag', keyText(knex)).notNullable();
    table.text('name').notNullable();
    table.text('description');
    // The commit that its tag led to.
    table.text('commit_id').notNullable();
    table.bigInteger('author_id').references('users.id').onDelete('set null').index();
    table.timestamp('released_at').notNullable();
    table.timestamp('created_at').notNullable();
    table.unique(['project_id', 'tag']);
    table.index(['project_id', 'released_at', 'id']);
  });
  await knex.schema.createTable('release_links', (table) => {
    table.bigIncrements('id');
    table.bigInteger('release_id').notNullable().references('releases.id').onDelete('cascade');
    table.text('name').notNullable();
    table.text('url').notNullable();
    table.text('path');
    table.text('link_type').notNullable();
    table.unique(['release_id', 'name']);
  });
};

export const down = async (knex) => {
  await knex.schema.dropTable('release_links');
  await knex.schema.dropTable('releases');
};

export const up = async (knex) => {
  // Keys of people, and those that open projects to machines, in one table: a fingerprint belongs to one of them.
  await knex.schema.createTable('ssh_keys', (table) => {
    table.bigIncrements('id');
    // Whose key it is; a deploy key is nobody's.
    table.bigInteger('user_id').references('users.id').onDelete('cascade').index();
    // Who made a deploy key: its pushes are in their name.
    table.bigInteger('creator_id').references('users.id').onDelete('set null');
    table.text('title').notNullable();
    // The type and the base64 of the key, without a comment.
    table.text('public_key').notNullable();
    table.text('fingerprint_sha256').notNullable().unique();
    table.text('fingerprint_md5').notNullable().index();
    // A deploy key that every project may enable.
    table.boolean('is_public').notNullable();
    table.timestamp('expires_at');
    table.timestamp('last_used_at');
    table.timestamp('created_at').notNullable();
  });
  await knex.schema.createTable('deploy_key_projects', (table) => {
    table.bigIncrements('id');
    table.bigInteger('ssh_key_id').notNullable().references('ssh_keys.id').onDelete('cascade');
    table.bigInteger('project_id').notNullable().references('projects.id').onDelete('cascade').index();
    table.boolean('can_push').notNullable();
    table.timestamp('created_at').notNullable();
    table.timestamp('updated_at').notNullable();
    table.unique(['ssh_key_id', 'project_id']);
  });
  await knex.schema.createTable('deploy_tokens', (table) => {
    table.bigIncrements('id');
    // One of the two: a token of a group opens every project below it.
    table.bigInteger('project_id').references('projects.id').onDelete('cascade').index();
    table.bigInteger('namespace_id').references('namespaces.id').onDelete('cascade').index();
    table.text('name').notNullable();
    // Null is the name that is made of the id.
    table.text('username');
    table.text('digest').notNullable().unique();
    table.text('scopes').notNullable();
    table.timestamp('expires_at');
    table.timestamp('last_used_at');
    table.timestamp('created_at').notNullable();
  });
};

export const down = async (knex) => {
  for (const table of ['deploy_tokens', 'deploy_key_projects', 'ssh_keys']) await knex.schema.dropTable(table);
};

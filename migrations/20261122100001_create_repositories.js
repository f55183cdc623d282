const keyText = (knex) => (knex.client.dialect === 'postgresql' ? 'text collate "C"' : 'text');

export const up = async (knex) => {
  await knex.schema.createTable('repositories', (table) => {
    table.bigIncrements('id');
    // A repository outlives its project for as long as its folder is still to be removed.
    table.bigInteger('project_id').references('projects.id').onDelete('set null').unique();
    // The folder that holds its objects.
    table.text('store').notNullable().unique();
    // Counts the changes of refs, so that a projection knows which of them it has seen.
    table.bigInteger('refs_version').notNullable();
    // Who writes refs into the folder, and until when nobody else does.
    table.text('projecting_by');
    table.timestamp('projecting_until');
    table.bigInteger('size_bytes').notNullable();
    table.timestamp('pushed_at');
    table.timestamp('created_at').notNullable();
  });
  await knex.schema.createTable('refs', (table) => {
    table.bigInteger('repository_id').notNullable().references('repositories.id').onDelete('cascade');
    table.specificType('name', keyText(knex)).notNullable();
    table.text('target').notNullable();
    // What an annotated tag leads to in the end.
    table.text('peeled');
    table.timestamp('committed_at');
    table.primary(['repository_id', 'name']);
    table.index(['repository_id', 'committed_at', 'name']);
  });
  // Refs whose file doesn't say yet what their row says.
  await knex.schema.createTable('stale_refs', (table) => {
    table.bigInteger('repository_id').notNullable().references('repositories.id').onDelete('cascade');
    table.specificType('name', keyText(knex)).notNullable();
    table.bigInteger('version').notNullable();
    table.primary(['repository_id', 'name']);
  });
  // What a ref lost by force or deletion stays for a while.
  await knex.schema.createTable('kept_tips', (table) => {
    table.bigIncrements('id');
    table.bigInteger('repository_id').notNullable().references('repositories.id').onDelete('cascade').index();
    table.text('ref').notNullable();
    table.text('target').notNullable();
    table.timestamp('lost_at').notNullable().index();
  });
  await knex.schema.createTable('protected_branches', (table) => {
    table.bigIncrements('id');
    table.bigInteger('project_id').notNullable().references('projects.id').onDelete('cascade');
    table.specificType('name', keyText(knex)).notNullable();
    table.integer('push_level').notNullable();
    table.integer('merge_level').notNullable();
    table.boolean('allow_force_push').notNullable();
    table.timestamp('created_at').notNullable();
    table.unique(['project_id', 'name']);
  });
  await knex.schema.createTable('protected_tags', (table) => {
    table.bigIncrements('id');
    table.bigInteger('project_id').notNullable().references('projects.id').onDelete('cascade');
    table.specificType('name', keyText(knex)).notNullable();
    table.integer('create_level').notNullable();
    table.timestamp('created_at').notNullable();
    table.unique(['project_id', 'name']);
  });
};

export const down = async (knex) => {
  for (const table of ['protected_tags', 'protected_branches', 'kept_tips', 'stale_refs', 'refs', 'repositories'])
    await knex.schema.dropTable(table);
};

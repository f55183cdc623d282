const keyText = (knex) => (knex.client.dialect === 'postgresql' ? 'text collate "C"' : 'text');

// Where groups, accounts and projects were before they were renamed or moved: until somebody takes the path, it leads to them.
export const up = (knex) =>
  knex.schema.createTable('former_paths', (table) => {
    table.bigIncrements('id');
    table.specificType('path_key', keyText(knex)).notNullable().unique();
    table.bigInteger('namespace_id').references('namespaces.id').onDelete('cascade').index();
    table.bigInteger('project_id').references('projects.id').onDelete('cascade').index();
  });

export const down = (knex) => knex.schema.dropTable('former_paths');

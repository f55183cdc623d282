import { keyText, link, reference } from './baseline/columns.js';

// Files that people attach to what they write: as rows, so that backups, moves and several nodes have them without more.
export const up = async (knex) => {
  await knex.schema.createTable('uploads', (table) => {
    table.bigIncrements('id');
    reference(table, 'project_id', 'projects').notNullable();
    link(table, 'author_id', 'users').index();
    keyText(table, 'secret').notNullable().unique();
    table.text('file_name').notNullable();
    // In bytes, of the file as it was sent.
    table.integer('size').notNullable();
    table.timestamp('created_at').notNullable();
    table.index(['project_id', 'id']);
  });
  await knex.schema.createTable('upload_parts', (table) => {
    table.bigIncrements('id');
    reference(table, 'upload_id', 'uploads').notNullable();
    table.integer('number').notNullable();
    // Some bytes of the file in base64.
    table.text('content').notNullable();
    table.unique(['upload_id', 'number']);
  });
};

export const down = async (knex) => {
  await knex.schema.dropTable('upload_parts');
  await knex.schema.dropTable('uploads');
};

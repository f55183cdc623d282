import { keyText, reference } from './baseline/columns.js';

// Files of versions of a project that are kept for others: the files themselves lie in the folder of those that jobs leave.
export const up = async (knex) => {
  await knex.schema.createTable('packages', (table) => {
    table.bigIncrements('id');
    reference(table, 'project_id', 'projects').notNullable();
    keyText(table, 'name').notNullable();
    keyText(table, 'version').notNullable();
    table.text('status').notNullable();
    table.timestamp('created_at').notNullable();
    table.timestamp('last_downloaded_at');
    table.unique(['project_id', 'name', 'version']);
    table.index(['project_id', 'created_at']);
  });
  await knex.schema.createTable('package_files', (table) => {
    table.bigIncrements('id');
    reference(table, 'package_id', 'packages').notNullable();
    reference(table, 'project_id', 'projects').notNullable();
    keyText(table, 'file_name').notNullable();
    table.bigInteger('size').notNullable();
    table.text('sha256').notNullable();
    table.text('sha1').notNullable();
    table.text('md5').notNullable();
    // What the file is called in the folder.
    keyText(table, 'file_key').notNullable().unique();
    table.timestamp('created_at').notNullable();
    table.index(['package_id', 'file_name', 'id']);
    // How many bytes the files of a project have is summed up for each that comes, without looking at the rows.
    table.index(['project_id', 'size']);
  });
};

export const down = async (knex) => {
  await knex.schema.dropTable('package_files');
  await knex.schema.dropTable('packages');
};

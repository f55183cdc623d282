import { keyText, reference } from './baseline/columns.js';

// What jobs leave: the files themselves lie in a folder.
export const up = async (knex) => {
  await knex.schema.createTable('ci_artifacts', (table) => {
    table.bigIncrements('id');
    reference(table, 'job_id', 'ci_jobs').notNullable();
    reference(table, 'project_id', 'projects').notNullable();
    table.text('type').notNullable();
    table.text('format').notNullable();
    table.text('file_name').notNullable();
    table.bigInteger('size').notNullable();
    table.text('sha256').notNullable();
    // What the file is called in the folder.
    keyText(table, 'file_key').notNullable().unique();
    table.timestamp('expires_at');
    // When to look whether it may go; null where it stays.
    table.timestamp('due_at');
    table.timestamp('created_at').notNullable();
    table.unique(['job_id', 'type']);
    table.index(['project_id', 'id']);
    table.index(['due_at'], 'ci_artifacts_due', { predicate: knex.whereNotNull('due_at') });
  });
};

export const down = (knex) => knex.schema.dropTable('ci_artifacts');

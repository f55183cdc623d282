import { link, reference } from './baseline/columns.js';

// Code that is to be fetched from elsewhere into a new project; what failed stays, without user name and password, to be tried again.
export const up = (knex) =>
  knex.schema.createTable('code_imports', (table) => {
    reference(table, 'project_id', 'projects').notNullable().primary();
    link(table, 'user_id', 'users').index();
    // Without user name and password: those are sealed beside it.
    table.text('url').notNullable();
    table.text('sealed_credentials');
    table.integer('attempts').notNullable();
    // Null where nothing is to be done.
    table.timestamp('due_at').index();
    table.text('held_by');
  });

export const down = (knex) => knex.schema.dropTable('code_imports');

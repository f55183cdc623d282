import { reference } from './baseline/columns.js';

// Tokens that start pipelines of a project, as if their owner had.
export const up = (knex) =>
  knex.schema.createTable('pipeline_triggers', (table) => {
    table.bigIncrements('id');
    reference(table, 'project_id', 'projects').notNullable();
    reference(table, 'owner_id', 'users').notNullable().index();
    table.text('description').notNullable();
    table.text('token_digest').notNullable().unique();
    // Its owner sees it again.
    table.text('sealed_token').notNullable();
    table.timestamp('created_at').notNullable();
    table.timestamp('updated_at').notNullable();
    table.timestamp('last_used_at');
    table.index(['project_id', 'id']);
  });

export const down = (knex) => knex.schema.dropTable('pipeline_triggers');

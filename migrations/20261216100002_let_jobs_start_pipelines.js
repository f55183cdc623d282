import { reference } from './baseline/columns.js';

// Projects whose jobs may start pipelines of another one, by their own tokens.
export const up = (knex) =>
  knex.schema.createTable('pipeline_starters', (table) => {
    reference(table, 'project_id', 'projects').notNullable();
    reference(table, 'starter_id', 'projects').notNullable().index();
    table.timestamp('created_at').notNullable();
    table.primary(['project_id', 'starter_id']);
  });

export const down = (knex) => knex.schema.dropTable('pipeline_starters');

import { reference } from './baseline/columns.js';

// Small pictures with links that stand on the pages of projects.
export const up = (knex) =>
  knex.schema.createTable('badges', (table) => {
    table.bigIncrements('id');
    // One of the two: a badge of a group stands on every project below it.
    reference(table, 'project_id', 'projects');
    reference(table, 'namespace_id', 'namespaces');
    table.text('name');
    // As people wrote them: what they name is filled in for each project.
    table.text('link_url').notNullable();
    table.text('image_url').notNullable();
    table.timestamp('created_at').notNullable();
    table.index(['project_id', 'id']);
    table.index(['namespace_id', 'id']);
  });

export const down = (knex) => knex.schema.dropTable('badges');

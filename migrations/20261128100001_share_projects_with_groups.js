import { reference } from './baseline/columns.js';

// Groups that a project is shared with: their members have a level in the project, no higher than the one of the link.
export const up = (knex) =>
  knex.schema.createTable('project_group_links', (table) => {
    table.bigIncrements('id');
    reference(table, 'project_id', 'projects').notNullable();
    reference(table, 'group_id', 'namespaces').notNullable().index();
    table.integer('access_level').notNullable();
    // The UTC day on which it ends.
    table.text('expires_at').index();
    table.timestamp('created_at').notNullable();
    table.unique(['project_id', 'group_id']);
  });

export const down = (knex) => knex.schema.dropTable('project_group_links');

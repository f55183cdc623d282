import { keyText, reference } from './baseline/columns.js';

// What a project is about, in the order in which it was given.
export const up = (knex) =>
  knex.schema.createTable('project_topics', (table) => {
    reference(table, 'project_id', 'projects').notNullable();
    table.integer('place').notNullable();
    table.text('name').notNullable();
    // Whatever its case, it is the same.
    keyText(table, 'name_key').notNullable();
    table.primary(['project_id', 'name_key']);
    table.index(['name_key', 'project_id']);
  });

export const down = (knex) => knex.schema.dropTable('project_topics');

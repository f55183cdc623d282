import { reference } from './baseline/columns.js';

// What a release was planned for.
export const up = (knex) =>
  knex.schema.createTable('release_milestones', (table) => {
    reference(table, 'release_id', 'releases').notNullable();
    reference(table, 'milestone_id', 'milestones').notNullable().index();
    table.primary(['release_id', 'milestone_id']);
  });

export const down = (knex) => knex.schema.dropTable('release_milestones');

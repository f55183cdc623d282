import { reference } from './baseline/columns.js';

// Which merge requests a deployment was the first to bring to its environment.
export const up = (knex) =>
  knex.schema.createTable('deployed_merge_requests', (table) => {
    reference(table, 'deployment_id', 'deployments').notNullable();
    reference(table, 'merge_request_id', 'merge_requests').notNullable().index();
    table.primary(['deployment_id', 'merge_request_id']);
  });

export const down = (knex) => knex.schema.dropTable('deployed_merge_requests');

import { keyText, link } from './baseline/columns.js';

// Pipelines for merge requests: which one, the branch whose code they run, and where it is to go.
const NAME = 'pipelines_of_merge_requests';

export const up = async (knex) => {
  await knex.schema.alterTable('pipelines', (table) => {
    link(table, 'merge_request_id', 'merge_requests');
    keyText(table, 'source_branch');
    keyText(table, 'target_branch');
  });
  await knex.schema.alterTable('pipelines', (table) =>
    table.index(['merge_request_id', 'sha', 'id'], NAME, { predicate: knex.whereNotNull('merge_request_id') }),
  );
};

export const down = async (knex) => {
  await knex.schema.alterTable('pipelines', (table) => {
    table.dropIndex([], NAME);
    table.dropColumns('merge_request_id', 'source_branch', 'target_branch');
  });
};

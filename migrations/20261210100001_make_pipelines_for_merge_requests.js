import { keyText } from './baseline/columns.js';

// Pipelines for merge requests: which one, the branch whose code they run, and where it is to go.
const NAME = 'pipelines_of_merge_requests';
// In SQL: on SQLite Knex would make the table anew for a column that refers to another, and the rows that refer to the old table would go with it.
const LINK = `alter table pipelines add column merge_request_id bigint
  constraint pipelines_merge_request_id_foreign references merge_requests (id) on delete set null`;
const COLUMNS = ['merge_request_id', 'source_branch', 'target_branch'];

export const up = async (knex) => {
  await knex.raw(LINK);
  await knex.schema.alterTable('pipelines', (table) => {
    keyText(table, 'source_branch');
    keyText(table, 'target_branch');
  });
  await knex.schema.alterTable('pipelines', (table) =>
    table.index(['merge_request_id', 'sha', 'id'], NAME, { predicate: knex.whereNotNull('merge_request_id') }),
  );
};

export const down = async (knex) => {
  await knex.schema.alterTable('pipelines', (table) => table.dropIndex([], NAME));
  for (const column of COLUMNS) await knex.raw(`alter table pipelines drop column ${column}`);
};

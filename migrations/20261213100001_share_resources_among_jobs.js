import { keyText } from './baseline/columns.js';

// Of jobs that name the same resource of their project one runs at a time.
const SHARING = 'ci_jobs_sharing';

export const up = async (knex) => {
  await knex.schema.alterTable('ci_jobs', (table) => {
    keyText(table, 'resource_group');
    // Since when it waits for its resource, or has it; null otherwise.
    table.timestamp('resource_since');
  });
  await knex.schema.alterTable('ci_jobs', (table) =>
    table.index(['project_id', 'resource_group'], SHARING, { predicate: knex.whereNotNull('resource_since') }),
  );
};

export const down = async (knex) => {
  await knex.schema.alterTable('ci_jobs', (table) => table.dropIndex([], SHARING));
  // In SQL: on SQLite Knex would make the table anew, and the rows that refer to it would go.
  for (const column of ['resource_group', 'resource_since'])
    await knex.raw(`alter table ci_jobs drop column ${column}`);
};

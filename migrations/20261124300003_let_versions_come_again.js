const PAIR = ['merge_request_id', 'head_sha', 'base_sha'];

// A branch that is pushed back to an earlier commit shows what it showed then, and that is its newest version again.
export const up = (knex) => knex.schema.alterTable('merge_request_versions', (table) => table.dropUnique(PAIR));

export const down = async (knex) => {
  await knex('merge_request_versions')
    .whereNotIn('id', knex('merge_request_versions').max('id').groupBy(PAIR))
    .delete();
  await knex.schema.alterTable('merge_request_versions', (table) => table.unique(PAIR));
};

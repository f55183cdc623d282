// Tokens that were made one from another by rotation are a family: this is the id of the first of them,
// and null for that one itself.
export const up = (knex) =>
  knex.schema.alterTable('personal_access_tokens', (table) => table.bigInteger('family_id').index());

// In SQL: on SQLite Knex would make the table anew.
export const down = async (knex) => {
  await knex.raw('drop index personal_access_tokens_family_id_index');
  await knex.raw('alter table personal_access_tokens drop column family_id');
};

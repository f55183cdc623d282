// What webhooks carry beside their own headers: their names, and their values in the same order, sealed.
export const up = (knex) =>
  knex.schema.alterTable('webhooks', (table) => {
    table.text('header_names').notNullable().defaultTo('[]');
    table.text('sealed_header_values');
  });

// In SQL: on SQLite Knex would make the table anew, and the rows that refer to it would go.
export const down = async (knex) => {
  for (const column of ['header_names', 'sealed_header_values'])
    await knex.raw(`alter table webhooks drop column ${column}`);
};

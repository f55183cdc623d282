// A database that is moved says how far that has come, for whoever watches the service.
export const up = async (knex) => {
  await knex.schema.alterTable('storage_control', (table) => {
    table.bigInteger('rows_known');
    table.bigInteger('rows_copied');
  });
};

export const down = async (knex) => {
  await knex.schema.alterTable('storage_control', (table) => {
    table.dropColumns('rows_known', 'rows_copied');
  });
};

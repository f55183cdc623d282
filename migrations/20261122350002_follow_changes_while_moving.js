// A storage that is moved while it serves: which rows changed, who serves, and where everybody goes afterwards.
export const up = async (knex) => {
  await knex.schema.alterTable('storage_control', (table) => {
    // Where the installation is moved to, sealed: it holds a password.
    table.text('sealed_successor');
    // The run of the command that fills this database: another one ends it.
    table.text('run');
    table.text('receipt');
  });
  // Written by triggers, which are there only during a move.
  await knex.schema.createTable('storage_changes', (table) => {
    table.bigIncrements('id');
    table.text('table_name').notNullable();
    table.text('row_key').notNullable();
  });
  await knex.schema.createTable('storage_nodes', (table) => {
    table.bigIncrements('id');
    table.text('node').notNullable().unique();
    table.text('version').notNullable();
    table.text('state').notNullable();
    table.text('reason');
    // Counts up for as long as the process lives.
    table.bigInteger('beat').notNullable();
  });
};

export const down = async (knex) => {
  await knex.schema.dropTable('storage_nodes');
  await knex.schema.dropTable('storage_changes');
  await knex.schema.alterTable('storage_control', (table) => {
    table.dropColumns('sealed_successor', 'run', 'receipt');
  });
};

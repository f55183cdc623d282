// A storage that is moved while it serves: which rows changed, who serves, and where everybody goes afterwards.
export const tables = {
  // One row once the database took part in a move of the storage; without it the database serves as any does.
  storage_control: (table) => {
    table.bigIncrements('id');
    table.text('role').notNullable();
    // Of two databases that say they serve, the one with the higher epoch does.
    table.bigInteger('epoch').notNullable();
    table.text('move');
    table.text('state');
    // The other database of the move, without its password.
    table.text('peer');
    // How far it was filled.
    table.text('progress');
    // The indexes and foreign keys that are made again once it is full.
    table.text('definitions');
    table.timestamp('changed_at').notNullable();
    // Where the installation is moved to, sealed: it holds a password.
    table.text('sealed_successor');
    // The run of the command that fills this database: another one ends it.
    table.text('run');
    table.text('receipt');
    // How far the move has come, for whoever watches the service.
    table.bigInteger('rows_known');
    table.bigInteger('rows_copied');
  },

  // Written by triggers, which are there only during a move.
  storage_changes: (table) => {
    table.bigIncrements('id');
    table.text('table_name').notNullable();
    table.text('row_key').notNullable();
  },

  storage_nodes: (table) => {
    table.bigIncrements('id');
    table.text('node').notNullable().unique();
    table.text('version').notNullable();
    table.text('state').notNullable();
    table.text('reason');
    // Counts up for as long as the process lives.
    table.bigInteger('beat').notNullable();
  },

  // What moves did and found, as they were signed: of the move that filled this database, and of those before it.
  storage_receipts: (table) => {
    table.bigIncrements('id');
    table.text('move').notNullable().unique();
    table.text('receipt').notNullable();
    table.timestamp('created_at').notNullable();
  },
};

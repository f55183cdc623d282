// One row once the database took part in a move of the storage; without it the database serves as any does.
export const up = (knex) =>
  knex.schema.createTable('storage_control', (table) => {
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
  });

export const down = (knex) => knex.schema.dropTable('storage_control');

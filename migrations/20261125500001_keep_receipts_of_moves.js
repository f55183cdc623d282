// What moves of the storage did and found, as they were signed: of the move that filled this database, and of those before it.
export const up = (knex) =>
  knex.schema.createTable('storage_receipts', (table) => {
    table.bigIncrements('id');
    table.text('move').notNullable().unique();
    table.text('receipt').notNullable();
    table.timestamp('created_at').notNullable();
  });

export const down = (knex) => knex.schema.dropTable('storage_receipts');

export const up = (knex) =>
  knex.schema.createTable('signing_keys', (table) => {
    table.bigIncrements('id');
    table.text('kid').notNullable().unique();
    table.text('public_jwk').notNullable();
    table.text('sealed_private_jwk').notNullable();
    table.timestamp('created_at').notNullable();
    table.timestamp('retired_at');
  });

export const down = (knex) => knex.schema.dropTable('signing_keys');

export const up = async (knex) => {
  // By which clients know the service over SSH.
  await knex.schema.createTable('ssh_host_keys', (table) => {
    table.bigIncrements('id');
    table.text('algorithm').notNullable().unique();
    table.text('sealed_private_key').notNullable();
    table.timestamp('created_at').notNullable();
  });
};

export const down = async (knex) => {
  await knex.schema.dropTable('ssh_host_keys');
};

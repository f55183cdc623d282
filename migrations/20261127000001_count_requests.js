// What was done within a minute and may be done only so often, counted by all nodes together.
export const up = async (knex) => {
  await knex.schema.createTable('request_counts', (table) => {
    table.bigIncrements('id');
    table.text('digest').notNullable().unique();
    table.integer('times').notNullable();
    table.timestamp('expires_at').notNullable();
    // By which the clean-up finds what nobody needs any more.
    table.index(['expires_at']);
  });
  // A minute's worth need not survive a crash of the server, and nobody is to wait for its disk.
  if (knex.client.dialect === 'postgresql') await knex.schema.raw('alter table request_counts set unlogged');
};

export const down = (knex) => knex.schema.dropTable('request_counts');

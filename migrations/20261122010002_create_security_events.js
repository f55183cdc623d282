export const up = async (knex) => {
  // When the password, and the second factor where it is on, was last proved in a session. Every session there is began with it.
  await knex.schema.alterTable('sessions', (table) => table.timestamp('proved_at'));
  await knex('sessions').update({ proved_at: knex.ref('created_at') });
  // What was done to an account, as its owner is told.
  await knex.schema.createTable('security_events', (table) => {
    table.bigIncrements('id');
    table.bigInteger('user_id').notNullable().references('users.id').onDelete('cascade');
    table.text('act').notNullable();
    // What the act was about, such as an address or the name of a token.
    table.text('subject');
    table.text('means').notNullable();
    // Of a token, an application or an administrator.
    table.text('means_name');
    table.text('client_address');
    table.timestamp('created_at').notNullable();
    table.timestamp('expires_at').notNullable().index();
    table.index(['user_id', 'id']);
  });
};

export const down = async (knex) => {
  await knex.schema.dropTable('security_events');
  await knex.schema.alterTable('sessions', (table) => table.dropColumn('proved_at'));
};

export const up = async (knex) => {
  await knex.schema.createTable('jobs', (table) => {
    table.bigIncrements('id');
    table.text('kind').notNullable();
    table.text('payload').notNullable();
    table.integer('attempts').notNullable();
    table.timestamp('run_at').notNullable().index();
    table.timestamp('created_at').notNullable();
  });
  // The body of a mail may carry a secret link, so it is kept sealed until it is sent.
  await knex.schema.createTable('queued_mails', (table) => {
    table.bigIncrements('id');
    table.text('recipient').notNullable();
    table.text('template').notNullable();
    table.text('sealed_content').notNullable();
    table.timestamp('created_at').notNullable().index();
  });
};

export const down = async (knex) => {
  await knex.schema.dropTable('queued_mails');
  await knex.schema.dropTable('jobs');
};

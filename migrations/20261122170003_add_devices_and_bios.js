export const up = async (knex) => {
  // Where a session was opened, and by what: so that its owner knows which one it is.
  await knex.schema.alterTable('sessions', (table) => {
    table.text('client_address');
    table.text('user_agent');
  });
  await knex.schema.alterTable('users', (table) => table.text('bio'));
};

export const down = async (knex) => {
  // By hand: on one of the databases the builder would write the table anew, and all that refers to it would go with the old one.
  await knex.raw('alter table users drop column bio');
  await knex.schema.alterTable('sessions', (table) => table.dropColumns('client_address', 'user_agent'));
};

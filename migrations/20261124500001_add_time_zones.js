export const up = async (knex) => {
  // The name of the zone in which a person is shown times, as in Europe/Berlin.
  await knex.schema.alterTable('users', (table) => table.text('time_zone'));
};

export const down = async (knex) => {
  // By hand: on one of the databases the builder would write the table anew, and all that refers to it would go with the old one.
  await knex.raw('alter table users drop column time_zone');
};

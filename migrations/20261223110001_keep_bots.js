// The account behind an access token of a project or group: which of the two it belongs to, and its level there.
// The ids refer to nothing: what the account did stays its own once the project or group is gone.
const COLUMNS = {
  bot_project_id: (table, name) => table.bigInteger(name).index(),
  bot_group_id: (table, name) => table.bigInteger(name).index(),
  bot_access_level: (table, name) => table.integer(name),
};

export const up = async (knex) => {
  for (const [name, add] of Object.entries(COLUMNS))
    await knex.schema.alterTable('users', (table) => void add(table, name));
};

// In SQL: on SQLite Knex would make the table anew, and the rows that refer to it would go.
export const down = async (knex) => {
  for (const name of ['bot_project_id', 'bot_group_id']) await knex.raw(`drop index users_${name}_index`);
  for (const name of Object.keys(COLUMNS)) await knex.raw(`alter table users drop column ${name}`);
};

// Where projects say that their CI file is, and where it was for each pipeline that was made.
const COLUMNS = [
  ['projects', 'ci_config_path'],
  ['pipelines', 'config_path'],
];

export const up = async (knex) => {
  for (const [name, column] of COLUMNS) await knex.schema.alterTable(name, (table) => table.text(column));
};

// In SQL: on SQLite Knex would make the tables anew, and the rows that refer to them would go.
export const down = async (knex) => {
  for (const [name, column] of COLUMNS) await knex.raw(`alter table ${name} drop column ${column}`);
};

// What pipelines are called, and what a job of them that fails ends: `all` others; null for none.
const COLUMNS = ['name', 'on_job_failure'];

export const up = async (knex) => {
  for (const column of COLUMNS) await knex.schema.alterTable('pipelines', (table) => table.text(column));
};

// In SQL: on SQLite Knex would make the table anew, and the rows that refer to it would go.
export const down = async (knex) => {
  for (const column of COLUMNS) await knex.raw(`alter table pipelines drop column ${column}`);
};

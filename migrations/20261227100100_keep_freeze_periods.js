import { reference } from './baseline/columns.js';

// When nothing of a project is to be deployed: pipelines that begin then are told so.
export const up = async (knex) => {
  await knex.schema.createTable('freeze_periods', (table) => {
    table.bigIncrements('id');
    reference(table, 'project_id', 'projects').notNullable();
    table.text('freeze_start').notNullable();
    table.text('freeze_end').notNullable();
    table.text('cron_timezone').notNullable();
    table.timestamp('created_at').notNullable();
    table.timestamp('updated_at').notNullable();
    table.index(['project_id', 'id']);
  });
};

export const down = async (knex) => {
  await knex.schema.dropTable('freeze_periods');
};

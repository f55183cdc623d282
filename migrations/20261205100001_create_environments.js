import { keyText, link, reference } from './baseline/columns.js';

// Places that code is brought to, each time that it was, and the jobs that do it.
export const up = async (knex) => {
  await knex.schema.createTable('environments', (table) => {
    table.bigIncrements('id');
    reference(table, 'project_id', 'projects').notNullable();
    keyText(table, 'name').notNullable();
    keyText(table, 'slug').notNullable();
    table.text('external_url');
    table.text('tier').notNullable();
    table.text('state').notNullable();
    table.timestamp('created_at').notNullable();
    table.timestamp('updated_at').notNullable();
    table.timestamp('auto_stop_at');
    table.unique(['project_id', 'name']);
    table.unique(['project_id', 'slug']);
    table.index(['auto_stop_at'], 'environments_stopping_by_themselves', {
      predicate: knex.whereNotNull('auto_stop_at'),
    });
  });
  await knex.schema.createTable('deployments', (table) => {
    table.bigIncrements('id');
    reference(table, 'project_id', 'projects').notNullable();
    table.bigInteger('iid').notNullable();
    reference(table, 'environment_id', 'environments').notNullable();
    link(table, 'job_id', 'ci_jobs').index();
    // Also where the job is gone.
    table.boolean('by_job').notNullable();
    link(table, 'user_id', 'users').index();
    keyText(table, 'ref').notNullable();
    table.boolean('tag').notNullable();
    table.text('sha').notNullable();
    table.text('status').notNullable();
    table.timestamp('created_at').notNullable();
    table.timestamp('updated_at').notNullable();
    table.timestamp('finished_at');
    table.unique(['project_id', 'iid']);
    table.index(['project_id', 'id']);
    table.index(['project_id', 'updated_at', 'id']);
    table.index(['project_id', 'status', 'id']);
    table.index(['environment_id', 'status', 'id']);
    table.index(['environment_id', 'id']);
  });
  await knex.schema.createTable('environment_jobs', (table) => {
    reference(table, 'job_id', 'ci_jobs').notNullable().primary();
    reference(table, 'pipeline_id', 'pipelines').notNullable().index();
    reference(table, 'environment_id', 'environments').notNullable().index();
    table.text('action').notNullable();
    // How the job stood when it was last looked at.
    table.text('status').notNullable();
  });
};

export const down = async (knex) => {
  for (const table of ['environment_jobs', 'deployments', 'environments']) await knex.schema.dropTable(table);
};

import { keyText, link, reference } from './baseline/columns.js';

// What is checked of commits, and what each check said; and the merges that wait for it.
export const up = async (knex) => {
  await knex.schema.createTable('pipelines', (table) => {
    table.bigIncrements('id');
    reference(table, 'project_id', 'projects').notNullable();
    table.bigInteger('iid').notNullable();
    table.text('sha').notNullable();
    keyText(table, 'ref').notNullable();
    table.boolean('tag').notNullable();
    table.text('source').notNullable();
    table.text('status').notNullable();
    link(table, 'user_id', 'users').index();
    table.timestamp('created_at').notNullable();
    table.timestamp('updated_at').notNullable();
    table.timestamp('started_at');
    table.timestamp('finished_at');
    // How it had ended when people were last told.
    table.text('told');
    table.unique(['project_id', 'iid']);
    table.index(['project_id', 'id']);
    table.index(['project_id', 'sha', 'id']);
    table.index(['project_id', 'ref', 'id']);
  });
  await knex.schema.createTable('commit_statuses', (table) => {
    table.bigIncrements('id');
    reference(table, 'pipeline_id', 'pipelines').notNullable();
    keyText(table, 'name').notNullable();
    table.text('status').notNullable();
    link(table, 'author_id', 'users').index();
    table.text('target_url');
    table.text('description');
    // In hundredths of a percent.
    table.integer('coverage');
    table.timestamp('created_at').notNullable();
    table.timestamp('started_at');
    table.timestamp('finished_at');
    table.boolean('latest').notNullable();
    table.index(['pipeline_id', 'name', 'id']);
  });
  await knex.schema.createTable('automatic_merges', (table) => {
    reference(table, 'merge_request_id', 'merge_requests').notNullable().primary();
    reference(table, 'user_id', 'users').notNullable().index();
    // The commit that they looked at.
    table.text('sha').notNullable().index();
    // How they want it merged.
    table.text('options').notNullable();
    table.timestamp('created_at').notNullable();
  });
};

export const down = async (knex) => {
  await knex.schema.dropTable('automatic_merges');
  await knex.schema.dropTable('commit_statuses');
  await knex.schema.dropTable('pipelines');
};

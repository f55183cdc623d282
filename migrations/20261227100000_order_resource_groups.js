import { keyText, reference } from './baseline/columns.js';

// What jobs of a project share, with the order in which they get it: a row for each name that a job has said.
export const up = async (knex) => {
  await knex.schema.createTable('ci_resource_groups', (table) => {
    table.bigIncrements('id');
    reference(table, 'project_id', 'projects').notNullable();
    keyText(table, 'key').notNullable();
    table.text('process_mode').notNullable();
    table.timestamp('created_at').notNullable();
    table.timestamp('updated_at').notNullable();
    table.unique(['project_id', 'key']);
    table.index(['project_id', 'id']);
  });
  await knex.raw(`insert into ci_resource_groups (project_id, "key", process_mode, created_at, updated_at)
    select ci_jobs.project_id, ci_jobs.resource_group, 'unordered', min(commit_statuses.created_at), min(commit_statuses.created_at)
    from ci_jobs join commit_statuses on commit_statuses.id = ci_jobs.id
    where ci_jobs.resource_group is not null group by ci_jobs.project_id, ci_jobs.resource_group`);
};

export const down = async (knex) => {
  await knex.schema.dropTable('ci_resource_groups');
};

import { keyText, link, reference } from './baseline/columns.js';

// Pipelines that are made by the clock, with the rights that whoever owns the schedule has then.
export const up = async (knex) => {
  await knex.schema.createTable('pipeline_schedules', (table) => {
    table.bigIncrements('id');
    reference(table, 'project_id', 'projects').notNullable();
    link(table, 'owner_id', 'users').index();
    table.text('description').notNullable();
    keyText(table, 'ref').notNullable();
    table.boolean('tag').notNullable();
    table.text('cron').notNullable();
    table.text('cron_timezone').notNullable();
    table.boolean('active').notNullable();
    // Null where it is not active.
    table.timestamp('next_run_at').index();
    // Why it was made inactive by itself.
    table.text('stopped_because');
    // Why its last run made no pipeline.
    table.text('last_problem');
    // What its jobs are given.
    table.text('sealed_variables');
    table.timestamp('created_at').notNullable();
    table.timestamp('updated_at').notNullable();
    table.timestamp('last_played_at');
    table.index(['project_id', 'id']);
  });
  await knex.schema.alterTable('pipelines', (table) => {
    // No reference: whoever removes a schedule need not touch all pipelines that it made.
    table.bigInteger('schedule_id');
    table.index(['schedule_id', 'id']);
    table.index(['project_id', 'sha', 'source', 'id']);
  });
};

export const down = async (knex) => {
  await knex.schema.alterTable('pipelines', (table) => {
    table.dropIndex(['project_id', 'sha', 'source', 'id']);
    table.dropIndex(['schedule_id', 'id']);
    table.dropColumn('schedule_id');
  });
  await knex.schema.dropTable('pipeline_schedules');
};

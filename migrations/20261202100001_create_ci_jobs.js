import { keyText, link, reference } from './baseline/columns.js';

// Jobs of pipelines, the runners that take them, and what they write meanwhile.
export const up = async (knex) => {
  await knex.schema.alterTable('pipelines', (table) => {
    table.text('before_sha');
    table.text('yaml_errors');
    // What whoever asked for it gave its jobs.
    table.text('sealed_variables');
  });
  await knex.schema.alterTable('commit_statuses', (table) => {
    table.text('stage').notNullable().defaultTo('external');
    table.boolean('allow_failure').notNullable().defaultTo(false);
  });
  await knex.schema.createTable('ci_runners', (table) => {
    table.bigIncrements('id');
    table.text('type').notNullable();
    table.text('token_digest').notNullable().unique();
    table.text('description');
    table.text('tags').notNullable();
    table.boolean('run_untagged').notNullable();
    table.boolean('locked').notNullable();
    table.boolean('paused').notNullable();
    table.boolean('protected_only').notNullable();
    table.integer('maximum_timeout');
    table.text('maintenance_note');
    link(table, 'created_by', 'users').index();
    table.timestamp('created_at').notNullable();
    table.timestamp('contacted_at');
    // What it tells of itself.
    table.text('about').notNullable();
    table.text('address');
  });
  await knex.schema.createTable('ci_runner_projects', (table) => {
    reference(table, 'runner_id', 'ci_runners').notNullable();
    reference(table, 'project_id', 'projects').notNullable().index();
    table.primary(['runner_id', 'project_id']);
  });
  await knex.schema.createTable('ci_jobs', (table) => {
    const id = table.client.dialect === 'postgresql' ? table.bigInteger('id') : table.integer('id');
    id.notNullable().primary().references('commit_statuses.id').onDelete('cascade');
    reference(table, 'project_id', 'projects').notNullable();
    reference(table, 'pipeline_id', 'pipelines').notNullable();
    table.integer('stage_index').notNullable();
    table.text('run_when').notNullable();
    // What the CI file says of it.
    table.text('definition').notNullable();
    table.boolean('protected_ref').notNullable();
    // Names of the jobs that it waits for; null where it waits for all earlier stages.
    table.text('needs');
    // The tags that a runner needs; in the queue while it waits for one.
    keyText(table, 'tag_set').notNullable();
    keyText(table, 'queue_tags');
    table.timestamp('queued_at');
    link(table, 'runner_id', 'ci_runners');
    table.text('token_digest').unique();
    // When it has failed, unless something is heard of it before.
    table.timestamp('gives_up_at');
    table.text('failure_reason');
    table.integer('exit_code');
    table.integer('log_bytes').notNullable();
    table.timestamp('erased_at');
    table.index(['pipeline_id', 'stage_index', 'id']);
    table.index(['project_id', 'id']);
    table.index(['runner_id', 'id']);
    table.index(['queue_tags', 'id'], 'ci_jobs_queue', { predicate: knex.whereNotNull('queue_tags') });
    table.index(['gives_up_at'], 'ci_jobs_giving_up', { predicate: knex.whereNotNull('gives_up_at') });
  });
  await knex.schema.createTable('ci_job_log_parts', (table) => {
    reference(table, 'job_id', 'ci_jobs').notNullable();
    // Where it begins, in bytes.
    table.integer('start').notNullable();
    table.text('content').notNullable();
    table.primary(['job_id', 'start']);
  });
};

export const down = async (knex) => {
  for (const table of ['ci_job_log_parts', 'ci_jobs', 'ci_runner_projects', 'ci_runners'])
    await knex.schema.dropTable(table);
  await knex.schema.alterTable('commit_statuses', (table) => table.dropColumns('stage', 'allow_failure'));
  await knex.schema.alterTable('pipelines', (table) =>
    table.dropColumns('before_sha', 'yaml_errors', 'sealed_variables'),
  );
};

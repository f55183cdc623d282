export const up = async (knex) => {
  await knex.schema.createTable('alert_settings', (table) => {
    table.bigInteger('project_id').notNullable().primary().references('projects.id').onDelete('cascade');
    table.boolean('create_incident').notNullable();
    table.boolean('auto_close_incident').notNullable();
    table.boolean('send_email').notNullable();
  });
  await knex.schema.createTable('alert_integrations', (table) => {
    table.bigIncrements('id');
    table.bigInteger('project_id').notNullable().references('projects.id').onDelete('cascade').index();
    table.text('type').notNullable();
    table.text('name').notNullable();
    table.boolean('active').notNullable();
    table.text('identifier').notNullable();
    table.text('key_digest').notNullable();
    table.text('sealed_key').notNullable();
    table.text('api_url');
    table.text('sample_payload');
    table.timestamp('created_at').notNullable();
    table.timestamp('updated_at').notNullable();
    table.unique(['project_id', 'identifier']);
  });
  await knex.raw(
    "create unique index alert_integrations_one_of_a_type on alert_integrations (project_id, type) where type <> 'http_endpoint'",
  );
  await knex.schema.createTable('alerts', (table) => {
    table.bigIncrements('id');
    table.bigInteger('project_id').notNullable().references('projects.id').onDelete('cascade');
    table.bigInteger('integration_id').references('alert_integrations.id').onDelete('set null').index();
    table.bigInteger('issue_id').references('issues.id').onDelete('set null').index();
    // Taken right after the row is there: of two that race for one fingerprint, the loser takes no number.
    table.bigInteger('iid');
    table.text('status').notNullable();
    table.integer('severity_rank').notNullable();
    table.text('title').notNullable();
    table.text('description');
    table.text('service');
    table.text('monitoring_tool');
    table.text('hosts').notNullable();
    table.text('environment');
    table.text('fingerprint');
    table.text('search_key').notNullable();
    table.timestamp('started_at').notNullable();
    table.timestamp('ended_at');
    table.bigInteger('events').notNullable();
    table.text('payload').notNullable();
    table.timestamp('created_at').notNullable();
    table.timestamp('updated_at').notNullable();
    table.unique(['project_id', 'iid']);
    table.index(['project_id', 'status', 'started_at']);
  });
  // At most one open alert of a fingerprint, under any race.
  await knex.raw(
    "create unique index alerts_one_open on alerts (project_id, fingerprint) where status <> 'resolved' and fingerprint is not null",
  );
  await knex.schema.createTable('alert_arrivals', (table) => {
    table.bigIncrements('id');
    table.bigInteger('alert_id').notNullable().references('alerts.id').onDelete('cascade');
    table.text('outcome').notNullable();
    table.text('reason').notNullable();
    table.timestamp('arrived_at').notNullable();
    table.index(['alert_id', 'id']);
  });
  // Whose arrivals are to be trimmed.
  await knex.raw('create index alerts_with_many_events on alerts (id) where events > 1000');
  await knex.schema.createTable('alert_deliveries', (table) => {
    table.bigIncrements('id');
    table.bigInteger('integration_id').notNullable().references('alert_integrations.id').onDelete('cascade');
    table.text('outcome').notNullable();
    table.text('reason').notNullable();
    table.integer('status').notNullable();
    table.text('alert_iids').notNullable();
    table.text('payload');
    table.timestamp('received_at').notNullable();
    table.timestamp('expires_at').notNullable().index();
    table.index(['integration_id', 'id']);
  });
  await knex.schema.createTable('alert_idempotency_keys', (table) => {
    table.bigIncrements('id');
    table.bigInteger('integration_id').notNullable().references('alert_integrations.id').onDelete('cascade');
    table.text('key_digest').notNullable();
    table.text('body_digest').notNullable();
    table.text('answer');
    table.timestamp('expires_at').notNullable().index();
    table.unique(['integration_id', 'key_digest']);
  });
};

export const down = async (knex) => {
  const tables = [
    'alert_idempotency_keys',
    'alert_deliveries',
    'alert_arrivals',
    'alerts',
    'alert_integrations',
    'alert_settings',
  ];
  for (const table of tables) await knex.schema.dropTable(table);
};

import { link, reference } from './columns.js';

export const tables = {
  alert_settings: (table) => {
    reference(table, 'project_id', 'projects').notNullable().primary();
    table.boolean('create_incident').notNullable();
    table.boolean('auto_close_incident').notNullable();
    table.boolean('send_email').notNullable();
  },

  alert_integrations: (table) => {
    table.bigIncrements('id');
    reference(table, 'project_id', 'projects').notNullable().index();
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
  },

  alerts: (table) => {
    table.bigIncrements('id');
    reference(table, 'project_id', 'projects').notNullable();
    link(table, 'integration_id', 'alert_integrations').index();
    link(table, 'issue_id', 'issues').index();
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
  },

  alert_arrivals: (table) => {
    table.bigIncrements('id');
    reference(table, 'alert_id', 'alerts').notNullable();
    table.text('outcome').notNullable();
    table.text('reason').notNullable();
    table.timestamp('arrived_at').notNullable();
    table.index(['alert_id', 'id']);
  },

  alert_deliveries: (table) => {
    table.bigIncrements('id');
    reference(table, 'integration_id', 'alert_integrations').notNullable();
    table.text('outcome').notNullable();
    table.text('reason').notNullable();
    table.integer('status').notNullable();
    table.text('alert_iids').notNullable();
    table.text('payload');
    table.timestamp('received_at').notNullable();
    table.timestamp('expires_at').notNullable().index();
    table.index(['integration_id', 'id']);
  },

  alert_idempotency_keys: (table) => {
    table.bigIncrements('id');
    reference(table, 'integration_id', 'alert_integrations').notNullable();
    table.text('key_digest').notNullable();
    table.text('body_digest').notNullable();
    table.text('answer');
    table.timestamp('expires_at').notNullable().index();
    table.unique(['integration_id', 'key_digest']);
  },
};

export const indexes = [
  "create unique index alert_integrations_one_of_a_type on alert_integrations (project_id, type) where type <> 'http_endpoint'",
  // At most one open alert of a fingerprint, under any race.
  "create unique index alerts_one_open on alerts (project_id, fingerprint) where status <> 'resolved' and fingerprint is not null",
  // Those that are grouped with nothing are counted for the metrics.
  "create index alerts_open_without_fingerprint on alerts (id) where status <> 'resolved' and fingerprint is null",
  // Whose arrivals are to be trimmed.
  'create index alerts_with_many_events on alerts (id) where events > 1000',
];

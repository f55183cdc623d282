import { reference } from './columns.js';

export const tables = {
  webhooks: (table) => {
    table.bigIncrements('id');
    reference(table, 'project_id', 'projects').notNullable().index();
    table.text('url').notNullable();
    table.text('sealed_token');
    // Names of the events that it hears of.
    table.text('events').notNullable();
    table.text('branch_filter');
    table.boolean('verify_certificate').notNullable();
    // Attempts that failed one after another.
    table.integer('failures').notNullable();
    table.timestamp('disabled_at');
    table.timestamp('created_at').notNullable();
    table.timestamp('updated_at').notNullable();
  },

  webhook_deliveries: (table) => {
    table.bigIncrements('id');
    reference(table, 'webhook_id', 'webhooks').notNullable();
    table.text('uuid').notNullable();
    table.text('event').notNullable();
    // What happened, as far as what is sent is not found elsewhere.
    table.text('facts').notNullable();
    table.text('state').notNullable();
    table.integer('attempts').notNullable();
    table.timestamp('due_at').notNullable();
    table.text('request_body');
    table.integer('response_status');
    table.text('response_body');
    table.integer('duration_ms');
    table.text('problem');
    table.timestamp('created_at').notNullable();
    table.timestamp('expires_at').notNullable().index();
    table.index(['webhook_id', 'id']);
    table.index(['state', 'due_at', 'id']);
  },
};

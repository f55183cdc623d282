import { reference } from './columns.js';

export const tables = {
  error_tracking_settings: (table) => {
    reference(table, 'project_id', 'projects').notNullable().primary();
    table.boolean('active').notNullable();
    table.text('api_url').notNullable();
    table.text('project_name');
    table.text('tracker_external_url');
    table.text('sealed_token');
    table.timestamp('created_at').notNullable();
    table.timestamp('updated_at').notNullable();
  },
};

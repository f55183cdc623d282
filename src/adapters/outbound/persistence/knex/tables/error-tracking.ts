import { boolean, instant, nullable, reference, sealed, table, text } from './table.js';

export const ERROR_TRACKING_TABLES = {
  error_tracking_settings: table({
    key: ['project_id'],
    size: 'few',
    columns: {
      project_id: reference('projects'),
      active: boolean,
      api_url: text,
      project_name: nullable(text),
      tracker_external_url: nullable(text),
      sealed_token: nullable(sealed),
      created_at: instant,
      updated_at: instant,
    },
  }),
};

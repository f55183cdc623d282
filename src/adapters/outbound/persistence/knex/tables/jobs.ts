import { code, id, instant, integer, json, table } from './table.js';

export const JOB_TABLES = {
  jobs: table({
    key: ['id'],
    size: 'many',
    columns: { id, kind: code<string>(), payload: json, attempts: integer, run_at: instant, created_at: instant },
  }),
};

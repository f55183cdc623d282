import { digest, id, instant, integer, onceExpired, table } from './table.js';

export const REQUEST_COUNT_TABLES = {
  request_counts: table({
    key: ['id'],
    size: 'many',
    pruned: [onceExpired],
    columns: { id, digest, times: integer, expires_at: instant },
  }),
};

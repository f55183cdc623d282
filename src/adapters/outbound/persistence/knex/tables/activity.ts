import { bigInteger, id, instant, integer, json, nullable, table, text } from './table.js';

// Without references: an entry outlives what it tells of.
export const ACTIVITY_TABLES = {
  activity_events: table({
    key: ['id'],
    size: 'flood',
    pruned: [{ kind: 'retained', column: 'created_at' }],
    columns: {
      id,
      feed: bigInteger,
      author_id: bigInteger,
      action: integer,
      target_type: integer,
      target_id: nullable(bigInteger),
      target_iid: nullable(bigInteger),
      target_title: nullable(text),
      subject_id: nullable(bigInteger),
      details: nullable(json),
      created_at: instant,
    },
  }),
  confidential_feeds: table({ key: ['feed'], size: 'few', columns: { feed: bigInteger } }),
};

import type { DatabaseName } from './selected-databases.js';
import { onDatabase } from './stores.js';

const COLUMNS = 'feed, author_id, action, target_type, target_title, created_at';
const SELECT = `select i % 97, i % 31, 1, 1, 'Cogs jam number ' || i || ' in the engine of the mill'`;

const FILL: Readonly<Record<DatabaseName, (count: number) => string>> = {
  sqlite: (
    count,
  ) => `insert into activity_events (${COLUMNS}) with recursive numbers(i) as (select 1 union all select i + 1 from numbers where i < ${count})
    ${SELECT}, strftime('%Y-%m-%dT%H:%M:%fZ', 1767225600 + i / 1000.0, 'unixepoch') from numbers`,
  postgres: (count) =>
    `insert into activity_events (${COLUMNS}) ${SELECT}, to_timestamp(1767225600 + i / 1000.0) from generate_series(1, ${count}) as numbers(i)`,
};

/** Fills the feed with as many entries as a test likes, by one statement: what most rows of an installation are. */
export const fillFeed = (url: string, count: number): Promise<void> =>
  onDatabase(url, ({ schema }) =>
    schema.transaction(async (transaction) => {
      const name = url.startsWith('sqlite:') ? 'sqlite' : 'postgres';
      if (name === 'postgres') await transaction.raw('set local statement_timeout = 0');
      await transaction.raw(FILL[name](count));
    }),
  );

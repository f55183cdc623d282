import type { Knex } from 'knex';
import type { Session } from '../session.js';

/** Counting goes no further: a backlog beyond it is an alarm whatever its size. */
const MOST_COUNTED = 10_000;

export interface WaitingCounts {
  readonly mails: number;
  readonly jobs: number;
  readonly openAlerts: number;
}

/** What waits, each count by an index that holds nothing else, and bounded. */
export const countWaiting = async ({ query }: Session): Promise<WaitingCounts> => {
  const count = async (rows: Knex.QueryBuilder): Promise<number> => {
    const bounded = rows.select(query.raw('1 as one')).limit(MOST_COUNTED);
    const [counted] = (await query.from(bounded.as('counted')).count({ total: '*' })) as { total: number | string }[];
    return Number(counted?.total ?? 0);
  };
  // Two, as each has its partial index.
  const grouped = await count(query('alerts').whereRaw("status <> 'resolved' and fingerprint is not null"));
  const single = await count(query('alerts').whereRaw("status <> 'resolved' and fingerprint is null"));
  return {
    mails: await count(query('queued_mails').whereRaw("state = 'waiting'")),
    jobs: await count(query('jobs')),
    openAlerts: Math.min(grouped + single, MOST_COUNTED),
  };
};

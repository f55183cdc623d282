import type { Knex } from 'knex';
import { countUpTo } from '../count-up-to.js';
import type { Session } from '../session.js';

/** Counting goes no further: a backlog beyond it is an alarm whatever its size. */
const MOST_COUNTED = 10_000;

export interface WaitingCounts {
  readonly mails: number;
  readonly jobs: number;
  readonly openAlerts: number;
}

/** What waits, each count by an index that holds nothing else, and bounded. */
export const countWaiting = async (session: Session): Promise<WaitingCounts> => {
  const { query } = session;
  const count = (rows: Knex.QueryBuilder): Promise<number> => countUpTo(session, rows, MOST_COUNTED);
  // Two, as each has its partial index.
  const grouped = await count(query('alerts').whereRaw("status <> 'resolved' and fingerprint is not null"));
  const single = await count(query('alerts').whereRaw("status <> 'resolved' and fingerprint is null"));
  return {
    mails: await count(query('queued_mails').whereRaw("state = 'waiting'")),
    jobs: await count(query('jobs')),
    openAlerts: Math.min(grouped + single, MOST_COUNTED),
  };
};

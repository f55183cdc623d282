import { hash } from 'node:crypto';
import type { Clock } from '../../../../../application/shared/ports/clock.js';
import {
  COUNTED_MS,
  type CountedRequests,
  type RequestCounts,
} from '../../../../../application/shared/ports/request-counts.js';
import type { Database } from '../database.js';
import type { Session } from '../session.js';
import type { RowOf } from '../tables.js';

/** One that has expired begins anew, and so does one that a clock which was wrong by hours has begun. */
const COUNT = `insert into request_counts (digest, times, expires_at) values (?, ?, ?)
  on conflict (digest) do update set
    times = case when request_counts.expires_at > ? and request_counts.expires_at <= ?
      then request_counts.times + excluded.times else excluded.times end,
    expires_at = case when request_counts.expires_at > ? and request_counts.expires_at <= ?
      then request_counts.expires_at else excluded.expires_at end
  returning times, expires_at`;

type Settle = PromiseWithResolvers<CountedRequests>;

/** Subjects are what clients send, of any length, and addresses of people: digests of them are kept. */
const digestOf = (subject: string): string => hash('sha256', subject, 'base64url');

/**
 * Counts for all nodes of a database. Those who come while a transaction is on its way share the next one, so that a process takes one
 * connection for all of them.
 */
export class KnexRequestCounts implements RequestCounts {
  #waiting = new Map<string, Settle[]>();
  #counting = false;

  constructor(
    private readonly database: Pick<Database, 'transact'>,
    private readonly clock: Clock,
  ) {}

  count(subject: string): Promise<CountedRequests> {
    const settle = Promise.withResolvers<CountedRequests>();
    const key = digestOf(subject);
    const others = this.#waiting.get(key);
    if (others === undefined) this.#waiting.set(key, [settle]);
    else others.push(settle);
    if (!this.#counting) void this.#countWaiting();
    return settle.promise;
  }

  async #countWaiting(): Promise<void> {
    this.#counting = true;
    while (this.#waiting.size > 0) {
      const taken = this.#waiting;
      this.#waiting = new Map();
      await this.#countAll(taken);
    }
    this.#counting = false;
  }

  async #countAll(taken: ReadonlyMap<string, readonly Settle[]>): Promise<void> {
    // In one order, so that no two nodes wait for each other.
    const subjects = [...taken].sort(([one], [other]) => (one < other ? -1 : 1));
    try {
      const counted = await this.database.transact(async (session) => {
        const all: CountedRequests[] = [];
        for (const [key, { length }] of subjects) all.push(await this.#add(session, key, length));
        return all;
      });
      for (const [place, [, settles]] of subjects.entries()) settleEach(settles, counted[place]);
    } catch (error) {
      for (const [, settles] of subjects) for (const { reject } of settles) reject(error);
    }
  }

  async #add(session: Session, key: string, times: number): Promise<CountedRequests> {
    const now = this.clock.now().getTime();
    const [at, end, tooFar] = [now, now + COUNTED_MS, now + 2 * COUNTED_MS].map((instant) =>
      session.dialect.writeInstant(new Date(instant)),
    );
    const [row] = await session.run<RowOf<'request_counts'>>(COUNT, [key, times, end, at, tooFar, at, tooFar]);
    if (row === undefined) throw new Error('What was counted is not there.');
    return { times: row.times, endsAt: session.dialect.readInstant(row.expires_at) };
  }
}

/** Each is told its own turn: the first of two that were counted together was one less. */
const settleEach = (settles: readonly Settle[], counted: CountedRequests | undefined): void => {
  if (counted === undefined) return;
  const before = counted.times - settles.length;
  for (const [turn, { resolve }] of settles.entries()) resolve({ times: before + turn + 1, endsAt: counted.endsAt });
};

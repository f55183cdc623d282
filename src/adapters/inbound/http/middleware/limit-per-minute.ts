import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../../application/shared/ports/clock.js';
import type { RequestCounts } from '../../../../application/shared/ports/request-counts.js';
import { LimitReached } from '../../../../domain/shared/domain-error.js';

/** Whoever was refused and comes again within the minute is refused without being counted: so many of them are known. */
const MOST_REFUSED = 10_000;

/** What every limit counts with. */
export interface Counting {
  readonly counts: RequestCounts;
  readonly clock: Clock;
}

/** Counts once more. @throws LimitReached beyond the limit. */
export type LimitPerMinute = (who: string) => Promise<void>;

/** @param what is limited: one and the same at several limits is not counted together. */
export const limitPerMinute = (what: string, limit: number | 'off', { counts, clock }: Counting): LimitPerMinute => {
  if (limit === 'off') return () => Promise.resolve();
  const refusedUntil = new LRUCache<string, Date>({ maxSize: MOST_REFUSED, sizeCalculation: () => 1 });
  const reached = (endsAt: Date, now: number) =>
    new LimitReached(secondsTo(endsAt, now), { name: what.replace(/ (?:of|from)$/, ''), limit, endsAt });
  return async (who) => {
    const now = clock.now().getTime();
    const until = refusedUntil.get(who);
    if (until !== undefined && until.getTime() > now) throw reached(until, now);
    const { times, endsAt } = await counts.count(`${what} ${who}`);
    if (times <= limit) return;
    refusedUntil.set(who, endsAt);
    throw reached(endsAt, now);
  };
};

const secondsTo = (until: Date, now: number): number => Math.max(1, Math.ceil((until.getTime() - now) / 1_000));

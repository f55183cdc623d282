import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../application/shared/ports/clock.js';
import {
  COUNTED_MS,
  type CountedRequests,
  type RequestCounts,
} from '../../../application/shared/ports/request-counts.js';

/** What is counted at once: beyond that the one that was quiet the longest is forgotten. */
const MOST_SUBJECTS = 10_000;

/** Counts for one process. */
export class CountsInMemory implements RequestCounts {
  readonly #minutes = new LRUCache<string, CountedRequests>({
    // By size, since room for so many by number would be taken at once.
    maxSize: MOST_SUBJECTS,
    sizeCalculation: () => 1,
  });

  constructor(private readonly clock: Clock) {}

  count(subject: string): Promise<CountedRequests> {
    const now = this.clock.now().getTime();
    const known = this.#minutes.get(subject);
    const isRunning = known !== undefined && known.endsAt.getTime() > now;
    const counted = isRunning
      ? { times: known.times + 1, endsAt: known.endsAt }
      : { times: 1, endsAt: new Date(now + COUNTED_MS) };
    this.#minutes.set(subject, counted);
    return Promise.resolve(counted);
  }
}

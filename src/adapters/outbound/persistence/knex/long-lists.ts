import { LRUCache } from 'lru-cache';
import type { Session } from './session.js';

const MOST_REMEMBERED = 2_000;
const REMEMBERED_MS = 60_000;

/** The lists of each database that were found to be longer than what is counted. */
const LONG = new WeakMap<Session, LRUCache<string, true>>();

const listsOf = (session: Session): LRUCache<string, true> => {
  const known = LONG.get(session);
  if (known !== undefined) return known;
  const lists = new LRUCache<string, true>({ maxSize: MOST_REMEMBERED, sizeCalculation: () => 1, ttl: REMEMBERED_MS });
  LONG.set(session, lists);
  return lists;
};

/**
 * Counts a list, unless it was found a moment ago to be longer than what is counted: lists grow, and hardly ever shrink. A total itself is
 * never remembered. @returns undefined for one that is longer than `limit`.
 */
export const countUnlessLong = async (
  session: Session,
  list: string,
  limit: number,
  count: () => Promise<number>,
): Promise<number | undefined> => {
  const lists = listsOf(session);
  if (lists.has(list)) return undefined;
  const total = await count();
  if (total <= limit) return total;
  lists.set(list, true);
  return undefined;
};

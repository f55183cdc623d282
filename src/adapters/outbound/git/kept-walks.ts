import { LRUCache } from 'lru-cache';
import type { LogQuery } from '../../../application/repositories/ports/object-stores.js';
import type { ObjectId } from '../../../domain/repositories/object-id.js';
import { KEPT_MS } from './kept-for.js';

const KEPT_BYTES = 16 * 1024 * 1024;
/** An id as a text that may be part of another, and its place in a list. */
const BYTES_OF_ID = 88;
const BYTES_OF_LIST = 256;
/** A list of all branches begins at as many places as there are, each of them one that may move. */
const MOST_BEGINNINGS = 4;

/** Of one question for a list of commits: the store, and all that decides of the list. Undefined for one that is not kept. */
const keyOf = (store: string, { tips, not = [], ...others }: LogQuery): string | undefined =>
  tips.length + not.length > MOST_BEGINNINGS
    ? undefined
    : [store, ...tips, '', ...not, JSON.stringify(Object.entries(others).sort())].join(' ');

/** Lists of commits that git told, the last ones: the history of a commit never changes, so neither does a list that begins at it. */
export class KeptWalks {
  readonly #kept = new LRUCache<string, readonly ObjectId[]>({
    maxSize: KEPT_BYTES,
    ttl: KEPT_MS,
    sizeCalculation: (ids, key) => BYTES_OF_LIST + 2 * key.length + BYTES_OF_ID * ids.length,
  });

  /** @param walk asks git. */
  async find(store: string, query: LogQuery, walk: () => Promise<readonly ObjectId[]>): Promise<readonly ObjectId[]> {
    const key = keyOf(store, query);
    if (key === undefined) return walk();
    const kept = this.#kept.get(key);
    if (kept !== undefined) return kept;
    const found = await walk();
    this.#kept.set(key, found);
    return found;
  }
}

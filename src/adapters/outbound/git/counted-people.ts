import { LRUCache } from 'lru-cache';
import type { Contributor } from '../../../application/repositories/ports/object-stores.js';
import type { ObjectId } from '../../../domain/repositories/object-id.js';
import type { Git } from './git.js';
import { fieldsByChunk, walked } from './walked-fields.js';

const PEOPLE_KEPT = 50_000;
const STORES_KEPT = 1_000;
const BETWEEN = '\u0001';

type Counting = Map<string, { readonly name: string; readonly email: string; commits: number }>;

const add = (people: Counting, { name, email, commits }: Contributor): void => {
  const known = people.get(email) ?? { name, email, commits: 0 };
  known.commits += commits;
  people.set(email, known);
};

/** Counts who made the commits of a history. What a branch got since it was counted last is added to that. */
export class CountedPeople {
  /** The history of a commit never changes, so neither does who made it. */
  readonly #ofTip = new LRUCache<string, readonly Contributor[]>({
    maxSize: PEOPLE_KEPT,
    sizeCalculation: ({ length }) => length + 1,
  });
  /** Of each store the commit whose history was counted last. */
  readonly #last = new LRUCache<string, ObjectId>({ maxSize: STORES_KEPT, sizeCalculation: () => 1 });

  constructor(
    private readonly git: Git,
    /** Whether a tip has another commit in its history. */
    private readonly hasInHistory: (store: string, tip: ObjectId, other: ObjectId) => Promise<boolean>,
  ) {}

  async count(store: string, tip: ObjectId): Promise<readonly Contributor[]> {
    const key = `${store} ${tip}`;
    const kept = this.#ofTip.get(key);
    if (kept !== undefined) return kept;
    const before = await this.#countedBefore(store, tip);
    const ids = before === undefined ? [tip] : [tip, `^${before.tip}`];
    const people: Counting = new Map();
    const fixed = ['log', '-z', '--no-merges', '--format=%aE%x01%aN'];
    for await (const fields of fieldsByChunk(await walked(this.git, store, { fixed, ids })))
      for (const field of fields) {
        const [email = '', name = ''] = field.split(BETWEEN);
        add(people, { name, email, commits: 1 });
      }
    // Behind the new ones: people are called as they called themselves last.
    before?.people.forEach((each) => add(people, each));
    const found = [...people.values()];
    this.#ofTip.set(key, found);
    this.#last.set(store, tip);
    return found;
  }

  async #countedBefore(
    store: string,
    tip: ObjectId,
  ): Promise<{ readonly tip: ObjectId; readonly people: readonly Contributor[] } | undefined> {
    const last = this.#last.get(store);
    const people = last === undefined ? undefined : this.#ofTip.get(`${store} ${last}`);
    if (last === undefined || people === undefined) return undefined;
    // Nothing leads to it any more, and housekeeping may have let go of it.
    const follows = await this.hasInHistory(store, tip, last).catch(() => false);
    return follows ? { tip: last, people } : undefined;
  }
}

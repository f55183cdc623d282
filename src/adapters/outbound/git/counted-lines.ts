import { LRUCache } from 'lru-cache';
import { TooLarge } from '../../../application/repositories/ports/object-stores.js';
import type { ObjectId } from '../../../domain/repositories/object-id.js';
import { assertObjectId } from './command.js';
import { KEPT_MS } from './kept-for.js';
import type { ToldChanges } from './told-changes.js';

/** Of as many commits as a list has. */
const COUNTS_MS = 10_000;
const KEPT = 20_000;
const MARK = '\u0001';
const ID_LENGTH = 40;

export interface LineCount {
  readonly additions: number;
  readonly deletions: number;
}

const noneOfTooMany = (error: unknown): Buffer => {
  if (error instanceof TooLarge) return Buffer.alloc(0);
  throw error;
};

const numberIn = (text: string, pattern: RegExp): number => Number(pattern.exec(text)?.[1] ?? 0);

/** How many lines a commit adds and removes, of a merge against its first parent: counted once, for a commit never changes. */
export class CountedLines {
  // By size, since room for so many by number would be taken at once.
  readonly #kept = new LRUCache<string, LineCount>({ maxSize: KEPT, sizeCalculation: () => 1, ttl: KEPT_MS });

  constructor(private readonly changes: ToldChanges) {}

  /** Those whose lines can't be counted are left out: a commit is shown, and one that has just been made is told of, all the same. */
  async of(store: string, commits: readonly ObjectId[]): Promise<ReadonlyMap<ObjectId, LineCount>> {
    const known = new Map<ObjectId, LineCount>();
    for (const commit of commits) {
      const kept = this.#kept.get(`${store} ${commit}`);
      if (kept !== undefined) known.set(commit, kept);
    }
    const counted = await this.#count(
      store,
      commits.filter((commit) => !known.has(commit)),
    );
    for (const [commit, count] of counted) this.#kept.set(`${store} ${commit}`, count);
    return new Map([...known, ...counted]);
  }

  async #count(store: string, commits: readonly ObjectId[]): Promise<ReadonlyMap<ObjectId, LineCount>> {
    if (commits.length === 0) return new Map();
    const fixed = ['log', '--stdin', '--no-walk=unsorted', '--diff-merges=first-parent', '-M', '--shortstat'];
    const told = this.changes.tell(
      store,
      commits.join(' '),
      { fixed: [...fixed, `--format=${MARK}%H`, '--no-ext-diff', '--no-textconv'] },
      {
        input: [commits.map((id) => `${assertObjectId(id)}\n`).join('')],
        ...(commits.length === 1 ? {} : { deadlineMs: COUNTS_MS }),
      },
    );
    const bytes = await told.then(({ bytes }) => bytes, noneOfTooMany);
    const sections = bytes.toString('latin1').split(MARK).slice(1);
    return new Map(sections.map((section) => [section.slice(0, ID_LENGTH), countIn(section)]));
  }
}

const countIn = (section: string): LineCount => ({
  additions: numberIn(section, /(\d+) insertion/),
  deletions: numberIn(section, /(\d+) deletion/),
});

import type { Commit, Diff, HistoryReader, ObjectReader, StoreName } from '../ports/object-stores.js';
import type { ObjectId } from '../../../domain/repositories/object-id.js';

export interface Comparison {
  /** Those of the second that the first has not, the oldest first. */
  readonly commits: readonly Commit[];
  readonly diff: Diff;
  /** There were more commits or differences than are told. */
  readonly overflow: boolean;
}

interface Sides {
  readonly from: ObjectId;
  readonly to: ObjectId;
  /** Whether they are compared as they are; else from where the second parted from the first. */
  readonly straight: boolean;
}

const MOST_COMMITS = 1_000;
/** Messages may be long: they are told until they have so many characters in all. */
const MOST_TEXT = 2_000_000;
const NOTHING: Diff = { files: [], overflow: false };

/** Tells what lies between two commits. */
export class Comparisons {
  constructor(
    private readonly objects: ObjectReader,
    private readonly history: HistoryReader,
  ) {}

  async compare(store: StoreName, { from, to, straight }: Sides): Promise<Comparison> {
    if (from === to) return { commits: [], diff: NOTHING, overflow: false };
    const start = straight ? from : await this.history.mergeBase(store, [from, to]);
    // Without a common beginning there is nothing that one could have been changed from.
    const diff = start === undefined ? NOTHING : await this.history.diff(store, start, to);
    const ids = await this.history.walk(store, { tips: [to], not: [from], limit: MOST_COMMITS + 1 });
    const commits = await this.#read(store, ids.slice(0, MOST_COMMITS));
    return { commits: [...commits].reverse(), diff, overflow: diff.overflow || commits.length < ids.length };
  }

  async #read(store: StoreName, ids: readonly ObjectId[]): Promise<readonly Commit[]> {
    const commits: Commit[] = [];
    for (let text = 0; text < MOST_TEXT && commits.length < ids.length;) {
      const commit = await this.objects.commit(store, ids[commits.length] ?? '');
      if (commit === undefined) break;
      commits.push(commit);
      text += commit.message.length;
    }
    return commits;
  }
}

import { encodeCommit, type Signature } from '../../../domain/repositories/object-format.js';
import type { ObjectId } from '../../../domain/repositories/object-id.js';
import type { Clock } from '../../shared/ports/clock.js';
import { signatureOf } from '../commit-signature.js';
import type { Draft, HistoryReader, Merger, ObjectReader, StoreName } from '../ports/object-stores.js';

export type Replay =
  | { readonly outcome: 'replayed'; readonly head: ObjectId }
  /** A commit that a machine can't do once more, with the files that it is about. */
  | { readonly outcome: 'conflict'; readonly commit: ObjectId; readonly paths: readonly string[] }
  | { readonly outcome: 'too_many' };

interface Sides {
  readonly from: ObjectId;
  readonly onto: ObjectId;
}

interface Parts {
  readonly objects: ObjectReader;
  readonly history: HistoryReader;
  readonly merger: Merger;
  readonly clock: Clock;
}

const MOST_COMMITS = 500;
/** Of all of them together: whoever waits for it would wait no longer. */
const MOST_MS = 60_000;

/** Does the commits that a branch has beyond another once more upon that one. Merges are left out, as `git rebase` leaves them out. */
export class ReplayCommits {
  constructor(private readonly parts: Parts) {}

  async execute(store: StoreName, draft: Draft, { from, onto }: Sides, committer: Signature): Promise<Replay> {
    const { history, objects, merger, clock } = this.parts;
    const endsAt = clock.now().getTime() + MOST_MS;
    const range = { tips: [from], not: [onto], order: 'topology' as const, limit: MOST_COMMITS + 1 };
    const ids = [...(await history.walk(store, range))].reverse();
    if (ids.length > MOST_COMMITS) return { outcome: 'too_many' };
    let head = onto;
    let tree = await this.#treeOf(store, onto);
    for (const id of ids) {
      if (clock.now().getTime() > endsAt) return { outcome: 'too_many' };
      const commit = await objects.commit(store, id);
      if (commit === undefined || commit.parents.length > 1) continue;
      const [parent] = commit.parents;
      if (parent === undefined) return { outcome: 'conflict', commit: id, paths: [] };
      const result = await merger.replay(store, tree, commit, parent);
      if (result.outcome === 'conflicts') return { outcome: 'conflict', commit: id, paths: result.paths };
      // What the other side has done already isn't done again.
      if (result.tree === tree) continue;
      tree = result.tree;
      const { message, author } = commit;
      const next = { tree, parents: [head], author: signatureOf(author), committer, message };
      head = await draft.add(encodeCommit(next));
    }
    return { outcome: 'replayed', head };
  }

  async #treeOf(store: StoreName, id: ObjectId): Promise<ObjectId> {
    const commit = await this.parts.objects.commit(store, id);
    if (commit === undefined) throw new Error(`The commit ${id} is missing.`);
    return commit.tree;
  }
}

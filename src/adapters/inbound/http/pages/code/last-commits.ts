import { LRUCache } from 'lru-cache';
import type { HistoryReader, ObjectReader } from '../../../../../application/repositories/ports/object-stores.js';
import type { ObjectId } from '../../../../../domain/repositories/object-id.js';
import { titleOf } from './commit-words.js';

export interface LastCommit {
  readonly id: ObjectId;
  readonly title: string;
  readonly at: string;
}

export interface EntriesOfFolder {
  readonly commit: ObjectId;
  readonly folder: string;
  readonly names: readonly string[];
  /** Which of its pages these are. */
  readonly page: number;
}

type Found = ReadonlyMap<string, LastCommit>;

const FOLDERS_KEPT = 500;

/** Which commit touched each entry of a folder last: a walk through history that is made once for a version of a folder. */
export class LastCommits {
  readonly #known = new LRUCache<string, Promise<Found>>({ maxSize: FOLDERS_KEPT, sizeCalculation: () => 1 });

  constructor(
    private readonly history: HistoryReader,
    private readonly objects: ObjectReader,
  ) {}

  of(store: string, entries: EntriesOfFolder): Promise<Found> {
    const key = `${store} ${entries.commit} ${entries.page} ${entries.folder}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const finding = this.#find(store, entries);
    this.#known.set(key, finding);
    finding.catch(() => this.#known.delete(key));
    return finding;
  }

  async #find(store: string, { commit, folder, names }: EntriesOfFolder): Promise<Found> {
    const ids = await this.history.lastCommits(store, commit, folder, names);
    const commits = new Map<ObjectId, LastCommit>();
    for (const id of new Set(ids.values())) {
      const found = await this.objects.commit(store, id);
      if (found !== undefined) commits.set(id, { id, title: titleOf(found.message), at: found.committer.at });
    }
    return new Map([...ids].flatMap(([name, id]) => (commits.has(id) ? [[name, commits.get(id)!] as const] : [])));
  }
}

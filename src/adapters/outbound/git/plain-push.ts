import type { PushedOnto } from '../../../application/repositories/ports/object-stores.js';
import type { TreeEntry } from '../../../domain/repositories/object-format.js';
import type { ObjectId } from '../../../domain/repositories/object-id.js';
import {
  isPlainName,
  isPlainText,
  nameOf,
  plainCommit,
  plainTree,
  type PlainCommit,
} from '../../../domain/repositories/plain-object.js';
import { LeftToGit, type HeldObject } from './small-pack.js';

/** What the store has, as far as it is asked. */
export interface PushedStore {
  commitTree(id: ObjectId): Promise<ObjectId | undefined>;
  tree(id: ObjectId): Promise<readonly TreeEntry[] | undefined>;
}

type Entries = ReadonlyMap<string, TreeEntry>;

const FOLDER = '40000';
const FILES: ReadonlySet<string> = new Set(['100644', '100755']);

const leave = (why: string): never => {
  throw new LeftToGit(why);
};

/**
 * Follows what was pushed from its tips to the commits that it builds on. Everything on the way either came with it and is plain, or stands
 * in the same place in a commit that a branch or tag leads to; and nothing came that isn't on the way.
 */
class PlainPush {
  readonly #seen = new Set<ObjectId>();
  /** Commits of the store that must be reachable. */
  readonly #grounds = new Set<ObjectId>();

  constructor(
    private readonly objects: ReadonlyMap<ObjectId, HeldObject>,
    private readonly store: PushedStore,
  ) {}

  async check({ tips, ledTo }: PushedOnto): Promise<void> {
    for (const tip of tips) this.#mustBeReachable(tip);
    for (const tip of tips) await this.#followCommits(tip);
    if (this.#seen.size !== this.objects.size) leave('More came than the tips lead to.');
    if (this.#grounds.size === 0) return;
    const reachable = await ledTo([...this.#grounds]);
    for (const id of this.#grounds) if (!reachable.has(id)) leave('A commit that no branch or tag leads to.');
  }

  #mustBeReachable(id: ObjectId): void {
    if (!this.objects.has(id)) this.#grounds.add(id);
  }

  async #followCommits(tip: ObjectId): Promise<void> {
    const waiting = [tip];
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      if (this.#seen.has(id) || !this.objects.has(id)) continue;
      const { tree, parents } = this.#commit(id);
      this.#seen.add(id);
      for (const parent of parents) this.#mustBeReachable(parent);
      waiting.push(...parents);
      const before = await Promise.all(parents.map((parent) => this.#treeOf(parent)));
      if (!before.includes(tree)) await this.#followTree(tree, before);
    }
  }

  #commit(id: ObjectId): PlainCommit {
    const held = this.objects.get(id);
    const commit = held?.type === 'commit' ? plainCommit(held.content) : undefined;
    return commit ?? leave('No plain commit.');
  }

  async #treeOf(commit: ObjectId): Promise<ObjectId> {
    if (this.objects.has(commit)) return this.#commit(commit).tree;
    return (await this.store.commitTree(commit)) ?? leave('A commit that is not there.');
  }

  /** @param before what stands in its place in the commits before. */
  async #followTree(id: ObjectId, before: readonly ObjectId[]): Promise<void> {
    if (this.#seen.has(id)) return;
    const held = this.objects.get(id);
    const entries = (held?.type === 'tree' ? plainTree(held.content) : undefined) ?? leave('No plain tree.');
    this.#seen.add(id);
    const known = await Promise.all(before.map((each) => this.#entriesOf(each)));
    for (const entry of entries) await this.#followEntry(entry, known);
  }

  async #followEntry(entry: TreeEntry, known: readonly Entries[]): Promise<void> {
    const name = nameOf(entry);
    const there = known.flatMap((entries) => entries.get(name) ?? []);
    if (there.some(({ id, mode }) => id === entry.id && mode === entry.mode)) return;
    if (!isPlainName(name)) leave('A name that is not plain.');
    if (entry.mode === FOLDER) {
      const folders = there.filter(({ mode }) => mode === FOLDER);
      return this.#followTree(
        entry.id,
        folders.map(({ id }) => id),
      );
    }
    if (!FILES.has(entry.mode)) leave('No plain file.');
    if (there.some(({ id, mode }) => id === entry.id && FILES.has(mode))) return;
    const held = this.objects.get(entry.id);
    if (held?.type !== 'blob' || !isPlainText(held.content)) leave('No plain text.');
    this.#seen.add(entry.id);
  }

  async #entriesOf(tree: ObjectId): Promise<Entries> {
    const held = this.objects.get(tree);
    const entries = held === undefined ? await this.store.tree(tree) : plainTree(held.content);
    return new Map((entries ?? leave('A tree that is not there.')).map((entry) => [nameOf(entry), entry]));
  }
}

/** @throws LeftToGit where something is not beyond doubt. */
export const checkPlainPush = (
  objects: ReadonlyMap<ObjectId, HeldObject>,
  store: PushedStore,
  onto: PushedOnto,
): Promise<void> => new PlainPush(objects, store).check(onto);

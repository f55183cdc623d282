import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { RefProjector } from '../../../application/repositories/ports/object-stores.js';
import { assertObjectId } from './command.js';
import { syncFolder, writeWhole } from './durable-files.js';
import { GitFailed, type Git } from './git.js';

const FEW = 16;
/** Shorter than the lease: afterwards somebody else may write. */
const PACK_MS = 10_000;
const LOCK = /Unable to create '([^']+\.lock)'/;
const MOST_LOCKS = 20;

interface ProjectedRef {
  readonly name: string;
  readonly value: string | null;
}

/** Writes refs into the folder of a store: a few by files, many and removals by git. Asks for a lease on the repository. */
export class GitRefProjector implements RefProjector {
  constructor(private readonly git: Git) {}

  async write(store: string, refs: readonly ProjectedRef[]): Promise<() => Promise<void>> {
    const removed = refs.filter(({ value }) => value === null);
    const there = refs.filter(({ name, value }) => value !== null && name !== 'HEAD');
    // What is removed goes first: a folder may have to stand where a file stood.
    if (removed.length > 0) await this.#updateRefs(store, removed);
    if (there.length > FEW) await this.#updateRefs(store, there);
    else await this.#writeFiles(store, there);
    const head = refs.find(({ name }) => name === 'HEAD')?.value;
    if (head != null) await this.#writeFile(store, 'HEAD', `ref: ${head}\n`);
    // What git wrote it has synced.
    const written = there.length > FEW ? [] : there.map(({ name }) => name);
    return () => this.#sync(store, head == null ? written : [...written, 'HEAD']);
  }

  async pack(store: string): Promise<void> {
    await this.#withoutLeftLocks([], () =>
      this.git.run(store, { fixed: ['pack-refs', '--all', '--prune'] }, { deadlineMs: PACK_MS }),
    );
  }

  async #writeFiles(store: string, refs: readonly ProjectedRef[]): Promise<void> {
    try {
      for (const { name, value } of refs) await this.#writeFile(store, name, `${assertObjectId(value ?? '')}\n`);
    } catch {
      // An empty folder stands in the way, or a file that should be one: git knows how to clear it.
      await this.#updateRefs(store, refs);
    }
  }

  async #writeFile(store: string, name: string, content: string): Promise<void> {
    const folder = this.git.folders.of(store);
    await writeWhole(join(folder, name), content, folder);
  }

  async #sync(store: string, names: readonly string[]): Promise<void> {
    const folder = this.git.folders.of(store);
    for (const each of new Set(names.map((name) => dirname(join(folder, name))))) await syncFolder(each);
  }

  #updateRefs(store: string, refs: readonly ProjectedRef[]): Promise<void> {
    const input = refs
      .map(({ name, value }) =>
        value === null ? `delete ${name}\0\0` : `update ${name}\0${assertObjectId(value)}\0\0`,
      )
      .join('');
    const args = { fixed: ['update-ref', '--no-deref', '--stdin', '-z'] };
    const folder = this.git.folders.of(store);
    const locks = refs.map(({ name }) => join(folder, `${name}.lock`));
    return this.#withoutLeftLocks(locks, () => this.git.run(store, args, { input: [input] }));
  }

  /**
   * Nobody else writes refs while we hold the lease: a lock in the way is of a process that was killed. It had taken those of all its refs
   * before it moved the first, so that where one is left the others may be, too.
   */
  async #withoutLeftLocks(locks: readonly string[], run: () => Promise<unknown>): Promise<void> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        await run();
        return;
      } catch (error) {
        const lock = error instanceof GitFailed ? LOCK.exec(error.ending.errors)?.[1] : undefined;
        if (lock === undefined || attempt === MOST_LOCKS || !lock.startsWith(this.git.folders.root)) throw error;
        for (const left of [lock, ...locks]) await rm(left, { force: true });
      }
    }
  }
}

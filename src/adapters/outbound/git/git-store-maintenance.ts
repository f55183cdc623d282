import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Repacking, StoreMaintenance, StoreSize } from '../../../application/repositories/ports/housekeeping.js';
import { packsToGather, staysShared } from '../../../domain/repositories/pack-selection.js';
import { Unavailable } from '../../../domain/shared/domain-error.js';
import type { CatFilePool } from './cat-file-pool.js';
import { codeOf, randomName } from './durable-files.js';
import type { Git } from './git.js';
import {
  findPacks,
  measureLooseObjects,
  movePack,
  packNamesIn,
  removePack,
  sweepFolder,
  syncPacks,
} from './pack-files.js';
import { INCOMING } from './quarantine.js';
import { readReplaced, writeReplaced } from './replaced-packs.js';

const GATHER_MS = 1_800_000;
const REPACK_MS = 4 * 3_600_000;
/** Longer than a push takes, and shorter than a repacking, which nobody runs beside this one. */
const LEFT_BEHIND_MS = 2 * 3_600_000;
const SECOND_MS = 1_000;
/** The locks of commands that only housekeeping runs: one that is there is of a process that was killed. */
const LOCKS = ['commit-graph.lock', 'commit-graphs/commit-graph-chain.lock'];
const UNFINISHED = /^(?:tmp_|\.tmp-)|\.keep$/;
const PACK_OPTIONS = ['--quiet', '--non-empty', '--local', '--honor-pack-keep', '--delta-base-offset'];

/** Packs by git's own `pack-objects`; what it replaces stays until `removeReplaced`, so that nobody who reads it notices. */
export class GitStoreMaintenance implements StoreMaintenance {
  constructor(
    private readonly git: Git,
    private readonly pool: CatFilePool,
  ) {}

  async gather(store: string, at: Date): Promise<StoreSize> {
    return this.#during(store, async (folder) => {
      const replaced = await readReplaced(folder);
      const packs = await findPacks(join(folder, 'objects/pack'));
      const chosen = packsToGather(packs.filter(({ name, kept, cruft }) => !kept && !cruft && !(name in replaced)));
      const { count } = await measureLooseObjects(join(folder, 'objects'));
      if (chosen.length > 0 || count > 0) {
        const lines = chosen.map(({ name }) => `${name}.pack\n`);
        const made = await this.#pack(store, ['--stdin-packs', '--unpacked'], { lines, deadlineMs: GATHER_MS });
        // Nothing was made of nothing; what was chosen stays then.
        if (made.length > 0) await addReplaced(folder, chosen, at);
        await this.#run(store, ['prune-packed', '--quiet']);
      }
      await this.#writeGraph(store, { anew: false });
      return this.#measure(folder);
    });
  }

  async repack(store: string, repacking: Repacking): Promise<StoreSize & { readonly unreachable: boolean }> {
    const { at, unreachableSince, project } = repacking;
    const expired = Math.floor(unreachableSince.getTime() / SECOND_MS);
    return this.#during(store, async (folder) => {
      await this.#sweep(folder);
      const packs = await findPacks(join(folder, 'objects/pack'));
      const staying = packs.filter((pack) => pack.kept || staysShared(pack));
      const old = packs.filter((pack) => !staying.includes(pack));
      // After the list: refs lead to everything by now that came in what is about to be replaced.
      await project();
      const made = await this.#packReachable(store, {
        staying: staying.map(({ name }) => name),
        alone: staying.length === 0 && !(await hasAlternates(folder)),
      });
      const lines = [
        ...[...made, ...staying.map(({ name }) => name)].map((name) => `${name}.pack\n`),
        ...old.map(({ name }) => `-${name}.pack\n`),
      ];
      const cruft = ['--cruft', `--cruft-expiration=${expired}`, '--max-pack-size=0'];
      const unreachable = await this.#pack(store, cruft, { lines, deadlineMs: REPACK_MS });
      await addReplaced(folder, old, at);
      await this.#run(store, ['prune-packed', '--quiet']);
      if ((await measureLooseObjects(join(folder, 'objects'))).count > 0)
        await this.#run(store, ['prune', `--expire=${expired}`]);
      // Of no commit that is gone.
      await this.#writeGraph(store, { anew: true });
      return { ...(await this.#measure(folder)), unreachable: unreachable.length > 0 };
    });
  }

  async removeReplaced(store: string, before: Date): Promise<StoreSize> {
    return this.#during(store, async (folder) => {
      const replaced = await readReplaced(folder);
      const ended = Object.keys(replaced).filter((name) => new Date(replaced[name]!) < before);
      for (const name of ended) await removePack(join(folder, 'objects/pack'), name);
      await syncPacks(join(folder, 'objects'));
      await writeReplaced(
        folder,
        Object.fromEntries(Object.entries(replaced).filter(([name]) => !ended.includes(name))),
      );
      // Living processes hold removed files open.
      this.pool.forgetStore(store);
      return this.#measure(folder);
    });
  }

  async #during<Result>(store: string, work: (folder: string) => Promise<Result>): Promise<Result> {
    try {
      return await work(this.git.folders.of(store));
    } catch (error) {
      throw error instanceof Unavailable ? error : new Unavailable('repositories', { cause: error });
    }
  }

  #packReachable(
    store: string,
    { staying, alone }: { readonly staying: readonly string[]; readonly alone: boolean },
  ): Promise<readonly string[]> {
    const options = [
      '--all',
      ...staying.map((name) => `--keep-pack=${name}.pack`),
      // A bitmap must know everything that refs lead to.
      ...(alone ? ['--write-bitmap-index'] : []),
    ];
    return this.#pack(store, options, { lines: [], deadlineMs: REPACK_MS });
  }

  /** Makes packs, and puts them into the store, synced. */
  async #pack(
    store: string,
    options: readonly string[],
    { lines, deadlineMs }: { readonly lines: readonly string[]; readonly deadlineMs: number },
  ): Promise<readonly string[]> {
    const objects = join(this.git.folders.of(store), 'objects');
    const unfinished = join(objects, randomName(INCOMING));
    await mkdir(unfinished);
    try {
      const fixed = ['pack-objects', ...PACK_OPTIONS, ...options, join(unfinished, 'pack')];
      await this.git.run(store, { fixed }, { upkeep: true, deadlineMs, input: lines });
      const names: string[] = [];
      for (const name of await packNamesIn(unfinished))
        names.push(await movePack(unfinished, name, join(objects, 'pack')));
      await syncPacks(objects);
      return names;
    } finally {
      await rm(unfinished, { recursive: true, force: true });
    }
  }

  async #run(store: string, fixed: readonly string[]): Promise<void> {
    await this.git.run(store, { fixed }, { upkeep: true, deadlineMs: GATHER_MS });
  }

  /** Commits with what they touch, for walks. A pool has no refs, and none: its members have it of their own. */
  async #writeGraph(store: string, { anew }: { readonly anew: boolean }): Promise<void> {
    const info = join(this.git.folders.of(store), 'objects/info');
    for (const lock of LOCKS) await rm(join(info, lock), { force: true });
    await this.#run(store, [
      'commit-graph',
      'write',
      '--reachable',
      anew ? '--split=replace' : '--split',
      '--changed-paths',
      '--no-progress',
    ]);
  }

  async #sweep(folder: string): Promise<void> {
    await sweepFolder(join(folder, 'objects/pack'), (name) => UNFINISHED.test(name), LEFT_BEHIND_MS);
    await sweepFolder(join(folder, 'objects'), (name) => name.startsWith(INCOMING), LEFT_BEHIND_MS);
  }

  async #measure(folder: string): Promise<StoreSize> {
    const replaced = await readReplaced(folder);
    const packs = await findPacks(join(folder, 'objects/pack'));
    const { bytes } = await measureLooseObjects(join(folder, 'objects'));
    const instants = Object.values(replaced).sort();
    return {
      bytes: packs.filter(({ name }) => !(name in replaced)).reduce((sum, pack) => sum + pack.bytes, bytes),
      replacedSince: instants.length === 0 ? null : new Date(instants[0]!),
    };
  }
}

/** Those that wait already keep the instant that they have. */
const addReplaced = async (folder: string, packs: readonly { readonly name: string }[], at: Date): Promise<void> => {
  const added = Object.fromEntries(packs.map(({ name }) => [name, at.toISOString()]));
  await writeReplaced(folder, { ...added, ...(await readReplaced(folder)) });
};

const hasAlternates = async (folder: string): Promise<boolean> => {
  try {
    return (await stat(join(folder, 'objects/info/alternates'))).size > 0;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
};

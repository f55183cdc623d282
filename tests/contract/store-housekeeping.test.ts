import { existsSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { writeLooseObject } from '../../src/adapters/outbound/git/loose-objects.js';
import { openGitStores, type GitStores } from '../../src/adapters/outbound/git/open-git-stores.js';
import { StoreFolders } from '../../src/adapters/outbound/git/store-folders.js';
import { encodeCommit, encodeTree } from '../../src/domain/repositories/object-format.js';
import { Unavailable } from '../../src/domain/shared/domain-error.js';
import { fastImport, git, newStoreName, removeFolder, temporaryFolder, withGit } from '../support/git.js';
import { until } from '../support/until.js';

const refsAreThere = (): Promise<void> => Promise.resolve();

const DAY_MS = 86_400_000;
const PACKS = 12;

withGit('housekeeping of stores', () => {
  describe('housekeeping of stores', () => {
    const root = temporaryFolder();
    const folders = new StoreFolders(root);
    const now = new Date();
    const later = new Date(now.getTime() + DAY_MS);
    /** Everything that is there was there before. */
    const everything = later;
    /** Nothing that is there was there before. */
    const nothing = new Date(now.getTime() - DAY_MS);
    let stores: GitStores;

    beforeAll(() => {
      stores = openGitStores({ directory: root, binary: 'git', pushLimit: 50_000_000 });
    });

    afterAll(() => {
      stores.close();
      removeFolder(root);
    });

    const inStore = (store: string, ...argv: string[]): Promise<string> =>
      git(['--git-dir', folders.of(store), ...argv]);

    const addBranch = (store: string, branch: string, count: number) =>
      fastImport(
        folders.of(store),
        Array.from({ length: count }, (_, index) => ({
          branch,
          message: `${branch} ${index}`,
          files: { [`${branch}-${index}.txt`]: `${branch} ${index}\n`.repeat(200) },
        })),
      );

    /** With as many packs, and a loose object that nothing leads to. */
    const scattered = async (): Promise<string> => {
      const store = newStoreName();
      await stores.keeper.create(store);
      for (let pack = 0; pack < PACKS; pack += 1) {
        await addBranch(store, `b${pack}`, 2);
        await inStore(store, '-c', 'pack.threads=1', 'repack', '-d', '-q');
      }
      await writeLooseObject(join(folders.of(store), 'objects'), { type: 'blob', content: Buffer.from('loose\n') });
      return store;
    };

    const packsOf = (store: string): string[] =>
      readdirSync(join(folders.of(store), 'objects/pack')).filter((name) => name.endsWith('.pack'));
    const looseOf = (store: string): string[] =>
      readdirSync(join(folders.of(store), 'objects'), { recursive: true, encoding: 'utf8' }).filter((name) =>
        /^[0-9a-f]{2}\/[0-9a-f]{38}$/.test(name),
      );
    const bytesOf = (store: string): number =>
      packsOf(store).reduce((sum, name) => sum + statSync(join(folders.of(store), 'objects/pack', name)).size, 0);
    const objectsOf = async (store: string): Promise<string[]> =>
      (await inStore(store, 'cat-file', '--batch-all-objects', '--batch-check=%(objectname)')).trim().split('\n');
    const reachableIn = async (store: string): Promise<string[]> =>
      (await inStore(store, 'rev-list', '--objects', '--no-object-names', '--all')).trim().split('\n').sort();
    const repack = (store: string, unreachableSince: Date) =>
      stores.maintenance.repack(store, { at: now, unreachableSince, project: () => Promise.resolve() });

    describe('gathering', () => {
      it('makes few packs of many and of single files, and no object goes', async () => {
        const store = await scattered();
        const before = {
          objects: await objectsOf(store),
          bytes: bytesOf(store),
          refs: await inStore(store, 'show-ref'),
        };
        expect(packsOf(store)).toHaveLength(PACKS);
        const size = await stores.maintenance.gather(store, now);
        expect(size.replacedSince).toEqual(now);
        const cleared = await stores.maintenance.removeReplaced(store, later);
        expect(packsOf(store)).toHaveLength(1);
        expect(looseOf(store)).toEqual([]);
        expect(cleared).toEqual({ replacedSince: null, bytes: bytesOf(store) });
        expect(cleared.bytes).toBeLessThan(before.bytes);
        expect(await objectsOf(store)).toEqual(before.objects);
        expect(await inStore(store, 'show-ref')).toBe(before.refs);
        expect(await stores.keeper.check(store)).toEqual([]);
        await inStore(store, 'commit-graph', 'verify');
      });

      it('takes nothing away from whoever reads the old packs, for as long as they may', async () => {
        const store = await scattered();
        const names = packsOf(store);
        await stores.maintenance.gather(store, now);
        await stores.maintenance.removeReplaced(store, new Date(now.getTime() - 1));
        expect(packsOf(store)).toEqual(expect.arrayContaining(names));
        // Those that wait for their end are not gathered once more.
        expect(await stores.maintenance.gather(store, later)).toMatchObject({ replacedSince: now });
        expect(packsOf(store)).toHaveLength(PACKS + 1);
        await stores.maintenance.removeReplaced(store, later);
        expect(packsOf(store)).toHaveLength(1);
      });

      it('leaves alone what a push has brought and not yet led a ref to', async () => {
        const store = await scattered();
        const folder = join(folders.of(store), 'objects/pack');
        const [name = ''] = packsOf(store);
        writeFileSync(join(folder, name.replace(/pack$/, 'keep')), '');
        await stores.maintenance.gather(store, now);
        await stores.maintenance.removeReplaced(store, later);
        expect(packsOf(store)).toEqual(expect.arrayContaining([name]));
        expect(packsOf(store)).toHaveLength(2);
      });
    });

    describe('repacking', () => {
      it('lets go of what nothing has led to for long enough, and of nothing else', async () => {
        const store = await scattered();
        await inStore(store, 'update-ref', 'refs/keep/1', 'b2');
        for (const branch of ['b1', 'b2']) await inStore(store, 'update-ref', '-d', `refs/heads/${branch}`);
        const [all, reachable] = [await objectsOf(store), await reachableIn(store)];
        expect(all.length).toBeGreaterThan(reachable.length);

        expect(await repack(store, nothing)).toMatchObject({ unreachable: true, replacedSince: now });
        await stores.maintenance.removeReplaced(store, later);
        expect(await objectsOf(store)).toEqual(all);
        expect(packsOf(store)).toHaveLength(2);

        expect(await repack(store, everything)).toMatchObject({ unreachable: false });
        // Until the old packs go, whoever needs what is let go of finds it.
        expect(await objectsOf(store)).toEqual(all);
        await stores.maintenance.removeReplaced(store, later);
        expect(await objectsOf(store)).toEqual(reachable);
        expect(packsOf(store)).toHaveLength(1);
        expect(await stores.keeper.check(store)).toEqual([]);
      });

      it('keeps what is written just then, and is led to only after that', async () => {
        const store = await scattered();
        const draft = await stores.intake.draft(store);
        const blob = await draft.add({ type: 'blob', content: Buffer.from('just then\n') });
        const tree = await draft.add(encodeTree([{ mode: '100644', name: Buffer.from('a'), id: blob }]));
        const person = { name: 'Ada', email: 'ada@example.test', at: new Date(0), offset: 0 };
        const commit = await draft.add(
          encodeCommit({ tree, parents: [], author: person, committer: person, message: 'One' }),
        );
        await draft.keep();
        expect(await repack(store, nothing)).toMatchObject({ unreachable: true });
        await stores.maintenance.removeReplaced(store, later);
        await draft.settle();
        await inStore(store, 'update-ref', 'refs/heads/just-then', commit);
        expect(await stores.keeper.check(store)).toEqual([]);
        expect(await inStore(store, 'show', 'just-then:a')).toBe('just then\n');
        await repack(store, nothing);
        await stores.maintenance.removeReplaced(store, later);
        expect(await reachableIn(store)).toEqual(expect.arrayContaining([blob, tree, commit].sort()));
      });

      it('writes a bitmap, so that a clone counts nothing', async () => {
        const store = await scattered();
        await repack(store, everything);
        await stores.maintenance.removeReplaced(store, later);
        await inStore(store, 'rev-list', '--test-bitmap', 'b1');
      });

      it('reads refs as they are after it has looked for packs', async () => {
        const store = await scattered();
        const lost = (await inStore(store, 'rev-parse', 'b1')).trim();
        await inStore(store, 'update-ref', '-d', 'refs/heads/b1');
        await stores.maintenance.repack(store, {
          at: now,
          unreachableSince: everything,
          project: async () => void (await inStore(store, 'update-ref', 'refs/heads/b1', lost)),
        });
        await stores.maintenance.removeReplaced(store, later);
        expect(await stores.keeper.check(store)).toEqual([]);
        expect((await inStore(store, 'rev-parse', 'b1')).trim()).toBe(lost);
      });

      it('sweeps what processes left that were killed long ago, and not what runs', async () => {
        const store = await scattered();
        const objects = join(folders.of(store), 'objects');
        const leave = (path: string, age: number) => {
          writeFileSync(join(objects, path), '');
          const at = new Date(Date.now() - age);
          utimesSync(join(objects, path), at, at);
        };
        const [name = ''] = packsOf(store);
        const keep = `pack/${name.replace(/pack$/, 'keep')}`;
        leave(keep, DAY_MS);
        leave('pack/tmp_pack_old', DAY_MS);
        leave('pack/tmp_pack_new', 0);
        mkdirSync(join(objects, 'info/commit-graphs'), { recursive: true });
        leave('info/commit-graphs/commit-graph-chain.lock', DAY_MS);
        await repack(store, nothing);
        await stores.maintenance.removeReplaced(store, later);
        // One of what refs lead to, and one of what nothing leads to.
        expect(packsOf(store)).toHaveLength(2);
        expect(existsSync(join(objects, 'pack/tmp_pack_old'))).toBe(false);
        expect(existsSync(join(objects, 'pack/tmp_pack_new'))).toBe(true);
      });

      /** Until its end is known here, which takes its time where the processor is taken, it is still asked to start commands. */
      const killRunner = async (): Promise<void> => {
        const pid = stores.runnerPid();
        if (pid === undefined) return;
        process.kill(pid, 'SIGKILL');
        await until(() => Promise.resolve(stores.runnerPid() !== pid));
      };

      it('is begun anew where it was killed in the midst, and has lost nothing', async () => {
        const store = await scattered();
        const reachable = await reachableIn(store);
        for (const pause of [5, 20, 40, 80, 120]) {
          const running = repack(store, nothing).catch(() => undefined);
          await sleep(pause);
          await killRunner();
          await running;
          expect(await reachableIn(store)).toEqual(reachable);
        }
        await stores.maintenance.gather(store, now);
        await repack(store, everything);
        await stores.maintenance.removeReplaced(store, later);
        expect(await reachableIn(store)).toEqual(reachable);
        expect(packsOf(store)).toHaveLength(1);
        expect(await stores.keeper.check(store)).toEqual([]);
      });
    });

    describe('what comes while it works', () => {
      it('owns what it needs and nothing leads to, so that it stays whole', async () => {
        const store = await scattered();
        const lost = (await inStore(store, 'rev-parse', 'b1')).trim();
        await inStore(store, 'update-ref', '-d', 'refs/heads/b1');
        await repack(store, everything);
        // Somebody makes a branch of it between the two steps.
        const draft = await stores.intake.draft(store);
        expect(await draft.connected([lost], refsAreThere)).toBe(true);
        await draft.keep();
        await draft.settle();
        await inStore(store, 'update-ref', 'refs/heads/again', lost);
        await stores.maintenance.removeReplaced(store, later);
        expect((await inStore(store, 'rev-list', '--count', 'again')).trim()).toBe('2');
        expect(await stores.keeper.check(store)).toEqual([]);
      });

      it('is told when something that it needs has gone', async () => {
        const store = await scattered();
        const lost = (await inStore(store, 'rev-parse', 'b1')).trim();
        await inStore(store, 'update-ref', '-d', 'refs/heads/b1');
        await repack(store, everything);
        await stores.maintenance.removeReplaced(store, later);
        const draft = await stores.intake.draft(store);
        expect(await draft.connected([lost], refsAreThere)).toBe(false);
        await draft.settle();
      });

      it.each(['rev-list', 'pack-objects'])(
        'is not told that something is missing when %s is killed',
        async (command) => {
          const store = await scattered();
          const lost = (await inStore(store, 'rev-parse', 'b1')).trim();
          await inStore(store, 'update-ref', '-d', 'refs/heads/b1');
          const binary = join(root, `git-without-${command}`);
          const script = `#!/bin/sh\ncase " $* " in *' ${command} '*) kill -KILL $$ ;; esac\nexec git "$@"\n`;
          writeFileSync(binary, script, { mode: 0o755 });
          const others = openGitStores({ directory: root, binary, pushLimit: 50_000_000 });
          const draft = await others.intake.draft(store);
          await expect(draft.connected([lost], refsAreThere)).rejects.toThrow(Unavailable);
          await draft.settle();
          others.close();
        },
      );
    });

    describe('stores that share objects', () => {
      it('share what is whole, and not the pack that a killed push left without its index', async () => {
        const [source, pool] = [await scattered(), newStoreName()];
        const left = `pack-${'0'.repeat(40)}.pack`;
        writeFileSync(join(folders.of(source), 'objects/pack', left), 'half');
        await stores.keeper.makePool(pool, source);
        expect(packsOf(pool).sort()).toEqual(
          packsOf(source)
            .filter((name) => name !== left)
            .sort(),
        );
        expect((await objectsOf(pool)).sort()).toEqual((await objectsOf(source)).sort());
      });

      it('stay whole when the source, the pool and its members are packed anew', async () => {
        const [source, pool, fork] = [await scattered(), newStoreName(), newStoreName()];
        await stores.keeper.makePool(pool, source);
        await stores.keeper.create(fork);
        await stores.keeper.share(fork, { from: source, pool });
        const refs = (await inStore(source, 'for-each-ref', '--format=%(refname) %(objectname)')).trim().split('\n');
        for (const ref of refs) await inStore(fork, 'update-ref', ...ref.split(' '));
        await addBranch(fork, 'own', 3);
        const reachable = await reachableIn(fork);

        await inStore(source, 'update-ref', '-d', 'refs/heads/b1');
        for (const store of [source, pool, fork]) await stores.maintenance.gather(store, now);
        for (const store of [source, fork]) await repack(store, everything);
        for (const store of [source, pool, fork]) await stores.maintenance.removeReplaced(store, later);

        expect(packsOf(pool)).toHaveLength(1);
        expect(await reachableIn(fork)).toEqual(reachable);
        expect(await stores.keeper.check(fork)).toEqual([]);
        // What lies in the pool is not copied into its members.
        expect(bytesOf(fork)).toBeLessThan(bytesOf(pool));
        expect(await objectsOf(source)).toEqual(await reachableIn(source));
      });
    });
  });
});

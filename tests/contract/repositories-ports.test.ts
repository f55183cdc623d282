import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { KnexRefReader } from '../../src/adapters/outbound/persistence/knex/repositories/knex-ref-reader.js';
import type { CodeWork, RefTip } from '../../src/application/repositories/ports/repository-repositories.js';
import { Conflict, Unprocessable } from '../../src/domain/shared/domain-error.js';
import { after, ContractParts, NOW } from '../support/contract-parts.js';
import { describeEachDatabase } from '../support/databases.js';
import type { NamespaceId, ProjectId, UserId } from '../../src/domain/shared/identifiers.js';

const [A, B, C] = ['a', 'b', 'c'].map((digit) => digit.repeat(40)) as [string, string, string];
const tip = (target: string, committedAt: Date | null = NOW, peeled: string | null = null): RefTip => ({
  target,
  peeled,
  committedAt,
});

describeEachDatabase('the ports of repositories', (openTestDatabase) => {
  let parts: ContractParts;
  let reader: KnexRefReader;
  let userId: UserId;
  let namespaceId: NamespaceId;
  let serial = 0;

  beforeAll(async () => {
    parts = new ContractParts(await openTestDatabase());
    ({ id: userId, namespaceId } = await parts.addUser('ada'));
    reader = new KnexRefReader(parts.database.reader);
  });

  afterAll(() => parts.close());

  const addProject = () => parts.addProject({ namespaceId }, { defaultBranch: null });
  const storeName = (): string => String((serial += 1)).padStart(64, '0');
  const addRepository = async (): Promise<{ projectId: ProjectId; id: number }> => {
    const projectId = await addProject();
    const repository = await parts.work(({ repositories }) => repositories.open(projectId, storeName(), NOW));
    return { projectId, id: repository!.id };
  };
  const move = (id: number, ref: string, from: string | null, to: RefTip | null): Promise<boolean> =>
    parts.work(({ refs }) => refs.move(id, { ref, from, to }));
  const namesOf = async (id: number, prefixes?: readonly string[]): Promise<string[]> => {
    const names: string[] = [];
    for await (const batch of reader.advertised(id, prefixes)) names.push(...batch.map(({ name }) => name));
    return names;
  };

  describe('a repository', () => {
    it('is made once for a project, however often it is opened', async () => {
      const projectId = await addProject();
      const opened = await Promise.all(
        [1, 2, 3].map(() => parts.work(({ repositories }) => repositories.open(projectId, storeName(), NOW))),
      );
      expect(new Set(opened.map((each) => each?.store)).size).toBe(1);
      expect(await reader.findRepository(projectId)).toEqual(opened[0]);
    });

    it('is not made for a project that is gone', async () => {
      const opened = await parts.work(({ repositories }) => repositories.open(999_999 as ProjectId, storeName(), NOW));
      expect(opened).toBeUndefined();
    });

    it('outlives its project until its folder is removed, and then is forgotten', async () => {
      const { projectId, id } = await addRepository();
      await move(id, 'refs/heads/main', null, tip(A));
      await parts.work(({ repositories }) => repositories.forget(id));
      expect(await reader.findRepository(projectId)).toBeDefined();
      await parts.work(({ projects }) => projects.remove(projectId));
      expect((await reader.orphans(NOW, 100)).map((each) => each.id)).toContain(id);
      expect((await reader.stale(100)).map((each) => each.id)).not.toContain(id);
      await parts.work(({ repositories }) => repositories.forget(id));
      expect((await reader.orphans(NOW, 100)).map((each) => each.id)).not.toContain(id);
      expect(await namesOf(id)).toEqual([]);
    });

    it('is locked with its project, and counts what pushes bring', async () => {
      const { projectId, id } = await addRepository();
      await parts.work(async ({ repositories }) => {
        await repositories.recordPush(id, 100, after(1));
        await repositories.recordPush(id, 50, after(2));
        await repositories.setDefaultBranch({ id, projectId }, 'trunk');
      });
      const held = await parts.work(({ repositories }) => repositories.take(projectId));
      expect(held).toMatchObject({ id, projectId, defaultBranch: 'trunk', archived: false, sizeBytes: 150 });
      await parts.work(({ projects }) => projects.requestRemoval(projectId, NOW));
      expect(await parts.work(({ repositories }) => repositories.take(projectId))).toBeUndefined();
    });
  });

  describe('refs', () => {
    it('move only from where they are expected', async () => {
      const { id } = await addRepository();
      const main = 'refs/heads/main';
      expect(await move(id, main, A, tip(B))).toBe(false);
      expect(await move(id, main, A, null)).toBe(false);
      expect(await move(id, main, null, null)).toBe(false);
      expect(await move(id, main, null, tip(A))).toBe(true);
      expect(await move(id, main, null, tip(B))).toBe(false);
      expect(await move(id, main, B, tip(C))).toBe(false);
      expect(await reader.findRef(id, main)).toEqual({ name: main, ...tip(A), version: 1 });
      expect(await move(id, main, A, tip(B, null))).toBe(true);
      expect(await reader.findRef(id, main)).toEqual({ name: main, ...tip(B, null), version: 2 });
      expect(await move(id, main, B, null)).toBe(true);
      expect(await reader.findRef(id, main)).toBeUndefined();
    });

    it('know the version of their repository that moved them, so that one that went there and back is another', async () => {
      const { projectId, id } = await addRepository();
      const [main, topic] = ['refs/heads/main', 'refs/heads/topic'];
      await move(id, main, null, tip(A));
      await move(id, topic, null, tip(A));
      const { refsVersion } = (await reader.findRepository(projectId))!;
      expect((await reader.findRef(id, topic))?.version).toBe(refsVersion);
      await move(id, topic, A, tip(B));
      await move(id, topic, B, tip(A));
      const remove = (ref: string) =>
        parts.work(({ refs }) => refs.move(id, { ref, from: A, to: null, unmovedSince: refsVersion }));
      expect([await remove(topic), await remove(main)]).toEqual([false, true]);
    });

    it('are won by one of many who expect the same', async () => {
      const { projectId, id } = await addRepository();
      const targets = Array.from({ length: 10 }, (_, index) => String(index).repeat(40));
      const won = await Promise.all(
        targets.map((target) =>
          parts.work(async ({ repositories, refs }) => {
            await repositories.take(projectId);
            return refs.move(id, { ref: 'refs/heads/main', from: null, to: tip(target) });
          }),
        ),
      );
      expect(won.filter(Boolean)).toHaveLength(1);
      expect((await reader.findRef(id, 'refs/heads/main'))?.target).toBe(targets[won.indexOf(true)]);
    });

    it('stand neither where another is a folder nor below one', async () => {
      const { id } = await addRepository();
      await move(id, 'refs/heads/a/b', null, tip(A));
      const conflicting = (ref: string) => parts.work(({ refs }) => refs.conflicting(id, ref));
      expect(await conflicting('refs/heads/a')).toBe('refs/heads/a/b');
      expect(await conflicting('refs/heads/a/b/c/d')).toBe('refs/heads/a/b');
      for (const free of ['refs/heads/a/c', 'refs/heads/a-b', 'refs/heads/aa', 'refs/tags/a'])
        expect(await conflicting(free)).toBeUndefined();
    });

    it('are listed in the order of their bytes, by prefixes, and found by what people call them', async () => {
      const { id } = await addRepository();
      for (const name of ['refs/heads/ä', 'refs/heads/a', 'refs/heads/Z', 'refs/tags/a', 'refs/tags/v1'])
        await move(id, name, null, tip(A));
      expect(await namesOf(id)).toEqual([
        'refs/heads/Z',
        'refs/heads/a',
        'refs/heads/ä',
        'refs/tags/a',
        'refs/tags/v1',
      ]);
      expect(await namesOf(id, ['refs/tags/', 'refs/heads/Z'])).toEqual([
        'refs/heads/Z',
        'refs/tags/a',
        'refs/tags/v1',
      ]);
      expect(await namesOf(id, ['refs/he%'])).toEqual([]);
    });

    it('are what people call them: by their full name, else as a branch, else as a tag', async () => {
      const { id, projectId } = await addRepository();
      const other = await addRepository();
      for (const name of ['refs/heads/a', 'refs/tags/a', 'refs/tags/v1', 'refs/heads/refs/tags/a'])
        await move(id, name, null, tip(A));
      await move(other.id, 'refs/heads/elsewhere', null, tip(B));
      const named = [
        ['a', 'refs/heads/a'],
        ['v1', 'refs/tags/v1'],
        ['refs/tags/a', 'refs/tags/a'],
        ['heads/a', undefined],
        ['elsewhere', undefined],
        ['', undefined],
      ] as const;
      for (const [name, expected] of named) {
        const ref = await reader.resolve(id, name);
        expect([name, ref?.name]).toEqual([name, expected]);
        expect(await reader.resolveIn(projectId, name)).toMatchObject({ repository: { id, projectId }, ref });
      }
      expect((await reader.resolveIn(projectId, 'a'))?.ref).toEqual(await reader.findRef(id, 'refs/heads/a'));
    });

    it('of a branch and a tag of one name are the tag where that alone is protected', async () => {
      const { id, projectId } = await addRepository();
      for (const name of ['1.0', '1.1', '1.2', '2.0'])
        for (const folder of ['refs/heads/', 'refs/tags/']) await move(id, folder + name, null, tip(A));
      await parts.work(async ({ protectedRefs }) => {
        await protectedRefs.addTag(projectId, { name: '1.*', createLevel: 40 }, NOW);
        for (const name of ['1.1', '2.*'])
          await protectedRefs.addBranch(projectId, { name, pushLevel: 40, mergeLevel: 40, allowForcePush: false }, NOW);
      });
      const meant = [
        ['1.0', 'refs/tags/1.0'],
        ['1.1', 'refs/heads/1.1'],
        ['1.2', 'refs/tags/1.2'],
        ['2.0', 'refs/heads/2.0'],
        ['refs/heads/1.0', 'refs/heads/1.0'],
      ] as const;
      for (const [name, expected] of meant) {
        expect([name, (await reader.resolve(id, name))?.name]).toEqual([name, expected]);
        expect([name, (await reader.resolveIn(projectId, name))?.ref?.name]).toEqual([name, expected]);
      }
    });

    it('are in no project that has no repository', async () => {
      expect(await reader.resolveIn(await addProject(), 'main')).toBeUndefined();
    });

    it('are paged, searched and sorted', async () => {
      const { projectId, id } = await addRepository();
      await move(id, 'refs/heads/new_one', null, tip(A, after(3)));
      await move(id, 'refs/heads/old', null, tip(B, after(1)));
      await move(id, 'refs/heads/mid', null, tip(B, after(2)));
      await move(id, 'refs/tags/v1', null, tip(C, after(2), A));
      const list = async (changes: object = {}) => {
        const query = {
          repositoryId: id,
          kind: 'branch',
          orderBy: 'name',
          sort: 'asc',
          page: { page: 1, perPage: 2 },
        } as const;
        const { items, total } = await reader.list({ ...query, ...changes });
        return [items.map(({ name }) => name.slice('refs/heads/'.length)), total];
      };
      expect(await list()).toEqual([['mid', 'new_one'], 3]);
      expect(await list({ page: { page: 2, perPage: 2 } })).toEqual([['old'], 3]);
      expect(await list({ orderBy: 'updated', sort: 'desc' })).toEqual([['new_one', 'mid'], 3]);
      expect(await list({ search: 'ew_o' })).toEqual([['new_one'], 1]);
      expect(await list({ search: '_' })).toEqual([['new_one'], 1]);
      expect(await list({ search: '^m' })).toEqual([['mid'], 1]);
      expect(await list({ search: 'd$' })).toEqual([['mid', 'old'], 2]);
      expect((await reader.pointingAt(id, [A])).map(({ name }) => name)).toEqual([
        'refs/heads/new_one',
        'refs/tags/v1',
      ]);
      const { projectId: empty } = await addRepository();
      expect(await reader.withBranches([projectId, empty])).toEqual(new Set([projectId]));
    });
  });

  describe('refs that the files do not have yet', () => {
    const lease = (repositoryId: number, holder = 'one') => ({ repositoryId, holder });
    const take = (repositoryId: number, holder: string, now: Date, until: Date) =>
      parts.work(({ staleRefs }) => staleRefs.lease(lease(repositoryId, holder), now, until));
    const read = (id: number) => parts.work(({ staleRefs }) => staleRefs.read(id, 100));

    it('are what moved, with what the rows say now', async () => {
      const { projectId, id } = await addRepository();
      await move(id, 'refs/heads/main', null, tip(A));
      await move(id, 'refs/heads/main', A, tip(B));
      await move(id, 'refs/heads/gone', null, tip(A));
      await move(id, 'refs/heads/gone', A, null);
      await parts.work(async ({ repositories, refs }) => {
        await repositories.setDefaultBranch({ id, projectId }, 'main');
        await refs.keepTip(id, { ref: 'refs/heads/main', target: A }, NOW);
      });
      const stale = await read(id);
      expect(stale.map(({ name, value }) => [name.replace(/\d+$/, 'N'), value])).toEqual([
        ['HEAD', 'refs/heads/main'],
        ['refs/heads/gone', null],
        ['refs/heads/main', B],
        ['refs/keep/N', A],
      ]);
    });

    it('leave the queue once they were written, unless they moved meanwhile, and are on it again where the lease was lost', async () => {
      const { id } = await addRepository();
      await move(id, 'refs/heads/one', null, tip(A));
      await move(id, 'refs/heads/two', null, tip(A));
      expect(await take(id, 'one', NOW, after(30))).toBe(true);
      const seen = await read(id);
      await move(id, 'refs/heads/two', A, tip(B));
      await parts.work(({ staleRefs }) => staleRefs.written(lease(id), seen));
      expect((await read(id)).map(({ name, value }) => [name, value])).toEqual([['refs/heads/two', B]]);
      // What somebody wrote whose lease was gone may have landed on something newer.
      await parts.work(({ staleRefs }) => staleRefs.written(lease(id, 'another'), seen));
      expect((await read(id)).map(({ name, value }) => [name, value])).toEqual([
        ['refs/heads/one', A],
        ['refs/heads/two', B],
      ]);
      const hasAny = () => parts.work(({ staleRefs }) => staleRefs.hasAny(id));
      expect([(await reader.stale(100)).map((each) => each.id), await hasAny()]).toEqual([
        expect.arrayContaining([id]),
        true,
      ]);
      await parts.work(async ({ staleRefs }) => staleRefs.written(lease(id), await staleRefs.read(id, 10)));
      expect((await reader.stale(100)).map((each) => each.id)).not.toContain(id);
      expect(await hasAny()).toBe(false);
    });

    it('are written by one at a time, until the lease is given back or runs out', async () => {
      const { id } = await addRepository();
      expect(await take(id, 'one', NOW, after(30))).toBe(true);
      expect(await take(id, 'two', after(1), after(31))).toBe(false);
      expect(await take(id, 'one', after(1), after(30))).toBe(true);
      await parts.work(({ staleRefs }) => staleRefs.release(lease(id, 'two')));
      expect(await take(id, 'two', after(1), after(31))).toBe(false);
      expect(await take(id, 'two', after(30), after(60))).toBe(true);
      await parts.work(({ staleRefs }) => staleRefs.release(lease(id, 'two')));
      expect(await take(id, 'three', after(31), after(60))).toBe(true);
    });

    it('are written no more once the project is gone, whose folder goes when nobody writes into it', async () => {
      const { projectId, id } = await addRepository();
      await move(id, 'refs/heads/main', null, tip(A));
      expect(await take(id, 'one', NOW, after(30))).toBe(true);
      await parts.work(({ projects }) => projects.remove(projectId));
      const orphans = async (now: Date) => (await reader.orphans(now, 100)).map((each) => each.id);
      expect(await parts.work(({ staleRefs }) => staleRefs.hasAny(id))).toBe(false);
      expect([await orphans(after(29)), await orphans(after(30))]).toEqual([
        expect.not.arrayContaining([id]),
        expect.arrayContaining([id]),
      ]);
      expect(await take(id, 'two', after(30), after(60))).toBe(false);
      await parts.work(({ staleRefs }) => staleRefs.release(lease(id)));
      expect(await orphans(NOW)).toContain(id);
    });

    it('tell of tips that were kept long enough', async () => {
      const { id } = await addRepository();
      await parts.work(({ refs }) => refs.keepTip(id, { ref: 'refs/heads/main', target: A }, NOW));
      expect(await parts.work(({ refs }) => refs.dropTips(NOW, 100))).toBe(0);
      expect(await parts.work(({ refs }) => refs.dropTips(after(1), 100))).toBeGreaterThan(0);
      expect((await read(id)).map(({ value }) => value)).toEqual([null]);
    });
  });

  describe('works that follow changes of code', () => {
    const add = (projectId: ProjectId, kind: 'create_pipeline' | 'refresh_merge_requests', name: string) =>
      parts.work(({ codeWorks }) => {
        const asked = { projectId, userId };
        return kind === 'create_pipeline'
          ? codeWorks.add({ ...asked, kind, payload: { ref: name, tag: false, from: null, to: A, skip: false } }, NOW)
          : codeWorks.add({ ...asked, kind, payload: { branch: name, after: 0 } }, NOW);
      });
    const take = async (holder: string, now = NOW) => {
      const at = (seconds: number) => new Date(now.getTime() + seconds * 1_000);
      return parts.work(({ codeWorks }) => codeWorks.take({ holder, now, until: at(180), begunUntil: at(170) }));
    };
    const nameOf = (work: CodeWork | undefined) => work?.payload;
    const finish = (work: CodeWork | undefined, holder: string) =>
      parts.work(({ codeWorks }) => codeWorks.finish(work!.id, holder));

    it('are done one after another for each kind and project, whoever does them', async () => {
      const [one, other] = [await addProject(), await addProject()];
      await add(one, 'create_pipeline', 'first');
      await add(one, 'create_pipeline', 'second');
      await add(one, 'refresh_merge_requests', 'first');
      await add(other, 'create_pipeline', 'elsewhere');
      const first = await take('a');
      const [review, elsewhere] = [await take('b'), await take('c')];
      expect([first, review, elsewhere].map(nameOf)).toMatchObject([
        { ref: 'first' },
        { branch: 'first' },
        { ref: 'elsewhere' },
      ]);
      expect(await take('d')).toBeUndefined();
      expect(await finish(first, 'a')).toBe(true);
      const second = await take('d');
      expect(nameOf(second)).toMatchObject({ ref: 'second' });
      await Promise.all([finish(review, 'b'), finish(elsewhere, 'c'), finish(second, 'd')]);
    });

    it('do not wait for one that failed, nor for long for whoever may be gone', async () => {
      const project = await addProject();
      for (const name of ['first', 'second', 'third']) await add(project, 'create_pipeline', name);
      const first = await take('a');
      await parts.work(({ codeWorks }) => codeWorks.postpone(first!.id, after(60)));
      expect(nameOf(await take('b'))).toMatchObject({ ref: 'second' });
      expect(await take('c', after(9))).toBeUndefined();
      expect(nameOf(await take('c', after(11)))).toMatchObject({ ref: 'third' });
      // The hold of the second has ended: it is taken once more.
      expect(nameOf(await take('d', after(181)))).toMatchObject({ ref: 'first' });
      expect(nameOf(await take('e', after(192)))).toMatchObject({ ref: 'second' });
    });
  });

  describe('protected refs', () => {
    const MAIN = { name: 'main', pushLevel: 40, mergeLevel: 30, allowForcePush: false } as const;

    it('have one rule a name in a project', async () => {
      const projectId = await addProject();
      const id = await parts.work(({ protectedRefs }) => protectedRefs.addBranch(projectId, MAIN, NOW));
      const again = parts.work(({ protectedRefs }) => protectedRefs.addBranch(projectId, MAIN, NOW));
      await expect(again).rejects.toThrow(new Conflict("Protected branch 'main' already exists"));
      expect(await parts.work(({ protectedRefs }) => protectedRefs.branchesOf(projectId))).toEqual([{ id, ...MAIN }]);
      await parts.work(({ protectedRefs }) => protectedRefs.addTag(projectId, { name: 'v*', createLevel: 40 }, NOW));
      const tag = parts.work(({ protectedRefs }) =>
        protectedRefs.addTag(projectId, { name: 'v*', createLevel: 0 }, NOW),
      );
      await expect(tag).rejects.toBeInstanceOf(Unprocessable);
    });

    it('change and go, and say when there is none', async () => {
      const projectId = await addProject();
      await parts.work(async ({ protectedRefs: rules }) => {
        await rules.addBranch(projectId, MAIN, NOW);
        expect(await rules.updateBranch(projectId, 'main', { allowForcePush: true, pushLevel: 0 })).toBe(true);
        expect(await rules.branchesOf(projectId)).toMatchObject([{ ...MAIN, allowForcePush: true, pushLevel: 0 }]);
        expect(await rules.updateBranch(projectId, 'other', { pushLevel: 0 })).toBe(false);
        expect(await rules.removeBranch(projectId, 'main')).toBe(true);
        expect(await rules.removeBranch(projectId, 'main')).toBe(false);
        expect(await rules.removeTag(projectId, 'v*')).toBe(false);
      });
    });
  });
});

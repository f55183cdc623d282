import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ForgetProject } from '../../src/application/workspace/ports/forget-project.js';
import { Removals } from '../../src/application/workspace/removals.js';
import { Conflict, Invalid } from '../../src/domain/shared/domain-error.js';
import type { Repositories } from '../../src/infrastructure/composition/storages.js';
import { KnexGroupLinkReader } from '../../src/adapters/outbound/persistence/knex/workspace/knex-group-link-reader.js';
import { KnexWorkspaceReader } from '../../src/adapters/outbound/persistence/knex/workspace/knex-workspace-reader.js';
import { after, ContractParts, NOW } from '../support/contract-parts.js';
import { describeEachDatabase } from '../support/databases.js';
import type { GroupId, NamespaceId, ProjectId, UserId } from '../../src/domain/shared/identifiers.js';

const TODAY = '2026-03-01';

describeEachDatabase('the ports of the workspace', (openTestDatabase) => {
  let parts: ContractParts;
  let ada: { id: UserId; namespaceId: NamespaceId };
  let reader: KnexWorkspaceReader;
  let serial = 0;

  beforeAll(async () => {
    parts = new ContractParts(await openTestDatabase());
    ada = await parts.addUser('ada');
    reader = new KnexWorkspaceReader(parts.database.reader);
  });

  afterAll(() => parts.close());

  const unique = (): string => `thing-${(serial += 1)}`;

  const addGroup = (parentId: GroupId | null = null, path = unique()) => parts.addGroup(parentId, { path });

  const addProject = (namespaceId: NamespaceId, path = unique()) => parts.addProject({ ...ada, namespaceId }, { path });

  const viewer = (userId: UserId | null = ada.id, admin = false) => ({ userId, admin, today: TODAY });
  const pathOf = async (id: number) => (await reader.findProject(id as ProjectId))?.fullPath;

  describe('groups and projects', () => {
    it('have paths of their own, whatever the case', async () => {
      const group = await addGroup(null, 'Engines');
      await expect(addGroup(null, 'ENGINES')).rejects.toBeInstanceOf(Invalid);
      await expect(addGroup(null, 'ADA')).rejects.toBeInstanceOf(Invalid);
      await addProject(group, 'Mill');
      await expect(addProject(group, 'MILL')).rejects.toBeInstanceOf(Invalid);
      expect((await reader.findProjectByPath('engines/mill'))?.fullPath).toBe('Engines/Mill');
      expect((await reader.findGroupByPath('eNGINES'))?.id).toBe(group);
    });

    it('follow a group that is renamed, however deep', async () => {
      const top = await addGroup(null, 'old');
      const child = await addGroup(top, 'child');
      const project = await addProject(child, 'deep');
      await parts.work(({ groups }) => groups.update(top, { path: 'new', name: 'New' }, after(1)));
      expect(await pathOf(project)).toBe('new/child/deep');
      expect((await reader.findGroup(child))?.fullName).toBe('New / child');
    });

    it('are hidden and give their names back at once when they are to be removed', async () => {
      const group = await addGroup(null, 'gone');
      const project = await addProject(await addGroup(group, 'below'), 'inside');
      expect(await parts.work(({ groups }) => groups.requestRemoval(group, NOW))).toBe(true);
      expect(await parts.work(({ groups }) => groups.requestRemoval(group, NOW))).toBe(false);
      expect(await reader.findProject(project)).toBeUndefined();
      expect(await reader.findGroup(group)).toBeUndefined();
      await addProject(await addGroup(await addGroup(null, 'gone'), 'below'), 'inside');
    });

    it('are removed in steps that are bounded, from the leaves', async () => {
      const top = await addGroup();
      const middle = await addGroup(top);
      for (let count = 0; count < 5; count += 1) await addProject(await addGroup(middle));
      const survivor = await addProject(await addGroup());
      await parts.work(({ groups }) => groups.requestRemoval(top, NOW));
      const step = () => parts.work(({ groups }) => groups.removeSome(top, 2));
      const steps: boolean[] = [];
      while (!steps.includes(true) && steps.length < 20) steps.push(await step());
      // Five projects by two, five leaves by two, then what is left, one level a step.
      expect(steps).toEqual([false, false, false, false, false, false, false, true]);
      expect(await pathOf(survivor)).toBeDefined();
      const left = (await parts.database
        .schema('projects')
        .whereNotNull('removal_requested_at')
        .whereIn('namespace_id', [top, middle])) as unknown[];
      expect(left).toEqual([]);
    });

    it('are removed once every context has forgotten them, one step at a time', async () => {
      const group = await addGroup();
      const [alone, inside] = [await addProject(ada.namespaceId), await addProject(group)];
      const steps: string[] = [];
      const forgetIn = (name: string, times: number): ForgetProject<Repositories> => {
        const left = new Map<number, number>();
        return (_repositories, id) => {
          steps.push(`${name} ${id}`);
          left.set(id, (left.get(id) ?? times) - 1);
          return Promise.resolve((left.get(id) ?? 0) > 0 ? 'more' : 'done');
        };
      };
      const removals = new Removals<Repositories>([forgetIn('feed', 2), forgetIn('files', 1)], []);
      const removeAll = async (step: (repositories: Repositories) => Promise<'done' | 'more'>) => {
        while ((await parts.work(step)) === 'more') steps.push('more');
        steps.push('done');
      };
      await removeAll((repositories) => removals.removeProject(repositories, alone));
      await removeAll((repositories) => removals.removeGroup(repositories, group));
      // The last step of a group takes the group itself.
      const each = (id: number) => [`feed ${id}`, 'more', `feed ${id}`, `files ${id}`];
      expect(steps).toEqual([...each(alone), 'done', ...each(inside), 'more', 'done']);
      expect([await pathOf(alone), await pathOf(inside)]).toEqual([undefined, undefined]);
    });
  });

  describe('members', () => {
    const member = (userId: UserId, accessLevel = 30, expiresAt: string | null = null) => ({
      userId,
      accessLevel,
      expiresAt,
      createdAt: NOW,
    });

    it('are in a place once, change and leave', async () => {
      const grace = await parts.addUser('grace');
      const project = await addProject(ada.namespaceId);
      const run = parts.work.bind(parts);
      await run(({ projectMembers }) => projectMembers.add(project, member(grace.id)));
      await expect(run(({ projectMembers }) => projectMembers.add(project, member(grace.id)))).rejects.toBeInstanceOf(
        Conflict,
      );
      await run(({ projectMembers }) =>
        projectMembers.update(project, grace.id, { accessLevel: 40, expiresAt: '2026-04-01' }),
      );
      expect(await run(({ projectMembers }) => projectMembers.find(project, grace.id))).toMatchObject({
        accessLevel: 40,
        expiresAt: '2026-04-01',
      });
      expect(await reader.levelsInProject(viewer(grace.id), project)).toEqual({ directLevel: 40, groupLevel: 0 });
      await run(({ projectMembers }) => projectMembers.remove(project, grace.id));
      expect(await reader.levelsInProject(viewer(grace.id), project)).toEqual({ directLevel: 0, groupLevel: 0 });
    });

    it('are members of a project through groups that it is shared with, each of which is linked once', async () => {
      const [edith, run] = [await parts.addUser('edith'), parts.work.bind(parts)];
      const [top, project, other] = [
        await addGroup(),
        await addProject(ada.namespaceId),
        await addProject(ada.namespaceId),
      ];
      const group = await addGroup(top);
      await run(({ groupMembers }) => groupMembers.add(top, member(edith.id, 30, '2026-03-20')));
      const link = { projectId: project, groupId: group, accessLevel: 20, expiresAt: '2026-03-10', createdAt: NOW };
      const add = (more: object) => run(({ groupLinks }) => groupLinks.add({ ...link, ...more }));
      await add({});
      await expect(add({ accessLevel: 30 })).rejects.toBeInstanceOf(Conflict);
      await add({ projectId: other, accessLevel: 40, expiresAt: null });
      expect(await run(({ groupLinks }) => groupLinks.count(project))).toBe(1);
      const levels = (id: ProjectId, today = TODAY) => reader.levelsInProject({ ...viewer(edith.id), today }, id);
      expect(await levels(project)).toEqual({ directLevel: 0, groupLevel: 20 });
      expect(await levels(other)).toEqual({ directLevel: 0, groupLevel: 30 });
      expect(await levels(project, '2026-03-10')).toEqual({ directLevel: 0, groupLevel: 0 });
      expect(await levels(other, '2026-03-20')).toEqual({ directLevel: 0, groupLevel: 0 });
      const asked = { inherited: true, userId: edith.id, page: { page: 1, perPage: 10 } };
      const found = async (id: ProjectId, who = edith.id) =>
        (await reader.projectMembers(id, { ...asked, viewer: viewer(who) })).items;
      expect(await found(project)).toMatchObject([{ accessLevel: 20, expiresAt: '2026-03-10', sharedGroupId: group }]);
      expect(await found(other)).toMatchObject([{ accessLevel: 30, expiresAt: '2026-03-20', sharedGroupId: group }]);
      expect(await found(project, ada.id)).toEqual([]);
      const links = new KnexGroupLinkReader(parts.database.reader);
      expect(await links.linksOf(viewer(edith.id), project)).toMatchObject([{ groupId: group, accessLevel: 20 }]);
      expect(await links.linksOf(viewer(ada.id), project)).toMatchObject([{ groupId: group, group: undefined }]);
      expect(await run(({ groupLinks }) => groupLinks.removeExpired('2026-03-09', 10))).toEqual([]);
      expect(await run(({ groupLinks }) => groupLinks.removeExpired('2026-03-10', 10, other))).toEqual([]);
      expect(await run(({ groupLinks }) => groupLinks.removeExpired('2026-03-10', 10))).toMatchObject([
        { projectId: project, groupId: group },
      ]);
      expect(await run(({ groupLinks }) => groupLinks.remove(project, group))).toBe(false);
      expect(await run(({ groupLinks }) => groupLinks.remove(other, group))).toBe(true);
      expect(await levels(other)).toEqual({ directLevel: 0, groupLevel: 0 });
    });

    it('count in everything below, by the highest level, until their day', async () => {
      const alan = await parts.addUser('alan');
      const top = await addGroup();
      const child = await addGroup(top);
      const run = parts.work.bind(parts);
      await run(({ groupMembers }) => groupMembers.add(top, member(alan.id, 40, '2026-03-02')));
      await run(({ groupMembers }) => groupMembers.add(child, member(alan.id, 20)));
      expect(await reader.namespaceLevel(viewer(alan.id), child)).toBe(40);
      expect(await reader.namespaceLevel({ ...viewer(alan.id), today: '2026-03-02' }, child)).toBe(20);
      expect(await run(({ groupMembers }) => groupMembers.removeExpired('2026-03-02', 10))).toHaveLength(1);
      expect(await run(({ groupMembers }) => groupMembers.find(top, alan.id))).toBeUndefined();
    });
  });

  describe('trees', () => {
    it('are read with the narrowest visibility of all that holds a namespace, and without what is gone', async () => {
      const top = await addGroup();
      const below = await addGroup(top);
      await parts.database.schema('namespaces').where({ id: below }).update({ visibility: 'public' });
      const gone = await addGroup();
      await parts.work(({ groups }) => groups.requestRemoval(gone, NOW));
      const held = await parts.work(({ namespaces }) =>
        namespaces.takeTrees([below, ada.namespaceId, gone, 999_999 as NamespaceId]),
      );
      expect(new Map(held.map(({ id, visibility }) => [id, visibility]))).toEqual(
        new Map([
          [below, 'private'],
          [ada.namespaceId, 'public'],
        ]),
      );
      await addProject(below);
      expect(await parts.work(({ namespaces }) => namespaces.visibilitiesInside(top))).toEqual({
        projects: ['private'],
        subgroups: ['public'],
      });
    });

    it('keep a second work waiting until the first has ended, from wherever in the tree they are taken', async () => {
      const top = await addGroup();
      const [left, right] = [await addGroup(await addGroup(top)), await addGroup(top)];
      const order: string[] = [];
      const first = parts.work(async ({ namespaces, groups }) => {
        await namespaces.takeTrees([left]);
        order.push('first begins');
        for (let turn = 0; turn < 20; turn += 1) await groups.projectsInside(top, 1);
        order.push('first ends');
      });
      while (order.length === 0) await new Promise((resume) => setImmediate(resume));
      const second = parts.work(async ({ namespaces }) => {
        await namespaces.takeTrees([right, top]);
        order.push('second begins');
      });
      await Promise.all([first, second]);
      expect(order).toEqual(['first begins', 'first ends', 'second begins']);
    });

    it('tell who owns a group for good', async () => {
      const [lin, max] = [await parts.addUser('lin'), await parts.addUser('max')];
      const [top, other] = [await addGroup(null, 'owned-by-lin'), await addGroup()];
      const below = await addGroup(other);
      const owner = (userId: UserId, expiresAt: string | null = null) => ({
        userId,
        accessLevel: 50,
        expiresAt,
        createdAt: NOW,
      });
      await parts.work(async ({ groupMembers, users }) => {
        await groupMembers.add(top, owner(lin.id));
        await groupMembers.add(top, owner(max.id));
        await groupMembers.add(top, owner(ada.id, '2026-04-01'));
        await groupMembers.add(other, owner(lin.id, '2026-04-01'));
        await groupMembers.add(below, owner(lin.id));
        await users.update(max.id, { state: 'blocked' });
      });
      const owned = (userId: UserId, groupId?: GroupId) =>
        parts.work(({ groupOwners }) => groupOwners.takeOwnedBy(userId, groupId));
      const expected = [
        {
          id: top,
          fullPath: 'owned-by-lin',
          owners: expect.arrayContaining([
            { userId: lin.id, blocked: false },
            { userId: max.id, blocked: true },
          ]),
        },
      ];
      expect(await owned(lin.id)).toEqual(expected);
      expect(await owned(lin.id, top)).toEqual(expected);
      expect([await owned(lin.id, other), await owned(ada.id)]).toEqual([[], []]);
    });
  });

  describe('lists', () => {
    it('hold what the viewer may see, and count nothing else', async () => {
      const hedy = await parts.addUser('hedy');
      const group = await addGroup();
      const [seen] = [await addProject(group), await addProject(await addGroup())];
      await parts.work(({ projectMembers }) =>
        projectMembers.add(seen, { userId: hedy.id, accessLevel: 10, expiresAt: null, createdAt: NOW }),
      );
      const list = (userId: UserId | null, admin = false) =>
        reader.listProjects({
          viewer: viewer(userId, admin),
          orderBy: 'id',
          sort: 'asc',
          page: { page: 1, perPage: 100 },
        });
      expect(await list(hedy.id)).toMatchObject({ items: [{ id: seen }], total: 1, hasNext: false });
      expect(await list(null)).toMatchObject({ items: [], total: 0 });
      expect((await list(hedy.id, true)).items.length).toBeGreaterThan(2);
    });
  });
});

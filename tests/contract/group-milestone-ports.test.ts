import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { MilestoneFields } from '../../src/domain/planning/milestone.js';
import { Invalid } from '../../src/domain/shared/domain-error.js';
import type { GroupId, NamespaceId, ProjectId, UserId } from '../../src/domain/shared/identifiers.js';
import { KnexGroupMilestoneReader } from '../../src/adapters/outbound/persistence/knex/planning/knex-group-milestone-reader.js';
import { KnexMilestoneReader } from '../../src/adapters/outbound/persistence/knex/planning/knex-milestone-reader.js';
import { KnexNamedThings } from '../../src/adapters/outbound/persistence/knex/planning/knex-named-things.js';
import { KnexPlanningOverview } from '../../src/adapters/outbound/persistence/knex/planning/knex-planning-overview.js';
import { ContractParts, NOW } from '../support/contract-parts.js';
import { describeEachDatabase } from '../support/databases.js';

const FIELDS: MilestoneFields = { title: '1.0', description: 'said', startDate: null, dueDate: '2026-12-24' };

describeEachDatabase('the ports of milestones of groups', (openTestDatabase) => {
  let parts: ContractParts;
  let reader: KnexMilestoneReader;
  let ofGroups: KnexGroupMilestoneReader;
  let overview: KnexPlanningOverview;
  let ada: { readonly id: UserId; readonly namespaceId: NamespaceId };
  let serial = 0;

  beforeAll(async () => {
    parts = new ContractParts(await openTestDatabase());
    reader = new KnexMilestoneReader(parts.database.reader);
    ofGroups = new KnexGroupMilestoneReader(parts.database.reader);
    overview = new KnexPlanningOverview(parts.database.reader);
    ada = await parts.addUser('ada');
  });
  afterAll(() => parts.close());

  const addGroup = (parentId?: GroupId): Promise<GroupId> => parts.addGroup(parentId);
  const addProject = (group: NamespaceId): Promise<ProjectId> =>
    parts.addProject({ ...ada, namespaceId: group }, { path: `project-${(serial += 1)}` });
  const addTo = (group: GroupId, title = '1.0'): Promise<number> =>
    parts.work(({ groupMilestones }) => groupMilestones.add(group, { ...FIELDS, title, createdAt: NOW }));
  const use = (project: ProjectId, id: number) => parts.work(({ milestones }) => milestones.use(project, id));
  const addIssue = (projectId: ProjectId, milestoneId: number | null, confidential = false) =>
    parts.work(({ issues }) =>
      issues.add({
        ...{ title: 'smoke', description: '', severity: null, dueDate: null, projectId, kind: 'issue', confidential },
        ...{ authorId: ada.id, createdAt: NOW, milestoneId },
      }),
    );
  const viewer = () => ({ userId: ada.id, admin: true, external: false, today: '2026-03-01' });

  describe('are used by projects', () => {
    it('by one row each, which says what the milestone of the group says, and is made once', async () => {
      const group = await addGroup();
      const project = await addProject(group);
      const id = await addTo(group);
      const [row, again] = [await use(project, id), await use(project, id)];
      expect(row).toEqual(expect.any(Number));
      expect(again).toBe(row);
      expect(await reader.knownAs([row!])).toEqual(new Map([[row, id]]));
      const [shown] = await reader.findAll(project, [row!]);
      expect(shown).toMatchObject({ ...FIELDS, id, iid: 1, projectId: null, projectPath: null, group: { id: group } });
      expect(await reader.find(project, { id: row! })).toBeUndefined();
      expect(shown).toEqual(await ofGroups.find(group, { id }));
    });

    it('only where a group above has them, and the project has none of that title', async () => {
      const [group, other] = [await addGroup(), await addGroup()];
      const [project, named] = [await addProject(group), await addProject(group)];
      const [id, elsewhere] = [await addTo(group), await addTo(other)];
      await parts.work(({ milestones }) =>
        milestones.add({ ...FIELDS, title: '2.0', projectId: named, createdAt: NOW }),
      );
      await parts.work(({ groupMilestones }) =>
        groupMilestones.update(group, { ...FIELDS, id, title: '2.0', state: 'active' }, NOW),
      );
      expect([await use(project, elsewhere), await use(named, id)]).toEqual([undefined, undefined]);
      expect(await use(project, id)).toEqual(expect.any(Number));
    });

    it('of each title the nearest, by quick actions and forms', async () => {
      const top = await addGroup();
      const below = await addGroup(top);
      const project = await addProject(below);
      // Two groups of a tree may come to have one of a title each when one is moved below the other.
      const near = await addTo(below, 'both');
      const far = await addTo(top, 'both');
      await addTo(top, 'far');
      const things = new KnexNamedThings(parts.database.reader, { now: () => NOW });
      expect(await things.milestone(project, 'both')).toEqual({ id: near, title: 'both' });
      expect(await things.milestone(project, 'none')).toBeUndefined();
      expect((await overview.openMilestones(project, 10)).map(({ title }) => title).sort()).toEqual(['both', 'far']);
      // What the project uses stays what it is there.
      await use(project, far);
      expect(await things.milestone(project, 'both')).toEqual({ id: far, title: 'both' });
    });
  });

  it('are changed with their rows, and refused a title that one of the projects has', async () => {
    const group = await addGroup();
    const project = await addProject(group);
    const id = await addTo(group);
    const row = await use(project, id);
    const change = (title: string) =>
      parts.work(({ groupMilestones }) =>
        groupMilestones.update(group, { ...FIELDS, id, title, state: 'closed' }, NOW),
      );
    await change('1.1');
    expect(await reader.findAll(project, [row!])).toMatchObject([{ title: '1.1', state: 'closed' }]);
    await parts.work(({ milestones }) =>
      milestones.add({ ...FIELDS, title: '3.0', projectId: project, createdAt: NOW }),
    );
    await expect(change('3.0')).rejects.toBeInstanceOf(Invalid);
    await parts.work(({ groupMilestones }) => groupMilestones.remove(id));
    expect(await reader.findAll(project, [row!])).toEqual([]);
  });

  it('are counted with the issues of all projects, as far as the viewer sees these', async () => {
    const group = await addGroup();
    const [one, two] = [await addProject(group), await addProject(group)];
    const id = await addTo(group, 'counted');
    const own = await parts.work(({ milestones }) =>
      milestones.add({ ...FIELDS, title: 'own', projectId: one, createdAt: NOW }),
    );
    await addIssue(one, (await use(one, id))!);
    await addIssue(two, (await use(two, id))!);
    await addIssue(one, own.id);
    expect(await overview.progressOf(viewer(), [id, own.id])).toEqual(
      new Map([
        [id, { open: 2, closed: 0 }],
        [own.id, { open: 1, closed: 0 }],
      ]),
    );
    const stranger = { ...viewer(), userId: null, admin: false };
    expect(await overview.progressOf(stranger, [id])).toEqual(new Map());
    const daily = await overview.dailyProgressOf(viewer(), id, 100);
    expect([...daily.joined.values()]).toEqual([2]);
    expect(await overview.milestoneTitlesWithin(viewer(), group, 10)).toEqual(['counted', 'own']);
  });
});

import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { itemsOf } from '../../src/application/shared/page-in-batches.js';
import { KnexActivityReader } from '../../src/adapters/outbound/persistence/knex/activity/knex-activity-reader.js';
import { KnexSubjects } from '../../src/adapters/outbound/persistence/knex/collaboration/knex-subjects.js';
import { KnexAudience } from '../../src/adapters/outbound/persistence/knex/notifications/knex-audience.js';
import { KnexPlanningOverview } from '../../src/adapters/outbound/persistence/knex/planning/knex-planning-overview.js';
import { KnexPlanningReader } from '../../src/adapters/outbound/persistence/knex/planning/knex-planning-reader.js';
import { KnexWorkspaceReader } from '../../src/adapters/outbound/persistence/knex/workspace/knex-workspace-reader.js';
import { ALL_ENABLED } from '../../src/domain/workspace/project-features.js';
import { ContractParts, NOW } from '../support/contract-parts.js';
import { describeEachDatabase } from '../support/databases.js';
import { issuesOf, Model, PEOPLE, settle, TODAY, worlds, type World } from '../support/visibility-model.js';

const PAGE = { page: 1, perPage: 100 };
const FILTER = { from: new Date('2026-01-01T00:00:00.000Z') };
const WORLDS = 25;

const VIEWERS = [
  { userId: null, admin: false, today: TODAY },
  { userId: PEOPLE[0]!, admin: true, today: TODAY },
  ...PEOPLE.slice(1).map((userId) => ({ userId, admin: false, today: TODAY })),
];
type Viewer = (typeof VIEWERS)[number];

const idsOf = (items: readonly { readonly id: number }[]): readonly number[] =>
  items.map(({ id }) => id).sort((a, b) => a - b);

const pathOf = ({ id }: { readonly id: number }): string => `namespace-${id}`;

describeEachDatabase('who sees what, beside one slow and obvious answer', (openTestDatabase) => {
  let parts: ContractParts;
  beforeAll(async () => {
    parts = new ContractParts(await openTestDatabase());
  });
  afterAll(() => parts.close());

  /** Checks something for many worlds, with each viewer. */
  const holds = (check: (world: World, model: Model, viewer: Viewer) => Promise<void>): Promise<void> =>
    fc.assert(
      fc.asyncProperty(worlds, async (world) => {
        await settle(parts.database, world);
        for (const viewer of VIEWERS) await check(world, new Model(world), viewer);
      }),
      { numRuns: WORLDS },
    );

  it('lists projects and groups, and finds levels in them', async () => {
    const reader = new KnexWorkspaceReader(parts.database.reader);
    const order = { orderBy: 'id', sort: 'asc', page: PAGE } as const;
    await holds(async ({ projects, groups }, model, viewer) => {
      const { userId, admin } = viewer;
      const visible = projects.filter((project) => model.sees(project, userId, admin));
      const { items: listed } = await reader.listProjects({ viewer, ...order });
      expect(idsOf(listed)).toEqual(idsOf(visible));
      const developed = visible.filter((project) => model.level(project, userId) >= 30);
      const found = await reader.listProjects({ viewer, ...order, minAccessLevel: 30 });
      expect(idsOf(found.items)).toEqual(idsOf(developed));
      const seen = groups.filter((group) => model.seesGroup(group, userId, admin));
      expect(idsOf((await reader.listGroups({ viewer, ...order })).items)).toEqual(idsOf(seen));
      const names = await reader.groupNames(viewer, groups.map(pathOf));
      expect([...names.keys()].sort()).toEqual(seen.map(pathOf).sort());
      for (const { id } of groups)
        expect(await reader.namespaceLevel(viewer, id)).toBe(model.levelInNamespace(id, userId));
      for (const project of projects) {
        const levels = {
          directLevel: model.directLevel(project, userId),
          groupLevel: Math.max(model.levelInNamespace(project.namespace, userId), model.sharedLevel(project, userId)),
        };
        expect(await reader.levelsInProject(viewer, project.id)).toEqual(levels);
        const inList = listed.find(({ id }) => id === project.id);
        if (inList !== undefined) expect(inList).toMatchObject(levels);
        const there = await reader.findProject(project.id);
        if (there !== undefined)
          expect(await reader.levelsInProjectByPath(viewer, there.fullPath.toUpperCase())).toEqual(levels);
      }
    });
  });

  it('lists issues, confidential ones for those concerned', async () => {
    const reader = new KnexPlanningReader(parts.database.reader);
    await holds(async ({ projects }, model, viewer) => {
      const { userId, admin } = viewer;
      const expected = projects.flatMap((project) => [
        ...(model.sees(project, userId, admin) ? [issuesOf(project).ordinary] : []),
        ...(model.seesConfidential(project, userId, admin) ? [issuesOf(project).confidential] : []),
      ]);
      const { items } = await reader.listIssueHeads({ viewer, orderBy: 'created_at', sort: 'asc', page: PAGE });
      expect(idsOf(items)).toEqual(expected);
    });
  });

  it('counts what has a label, confidential issues for those concerned and merge requests for readers of the code', async () => {
    const overview = new KnexPlanningOverview(parts.database.reader);
    const { schema, reader } = parts.database;
    const created_at = reader.dialect.writeInstant(NOW);
    const labelOf = ({ id }: { readonly id: number }) => 100 + id;
    const label = async (project: World['projects'][number]): Promise<void> => {
      const { id: project_id, author: author_id } = project;
      const [closed, merge] = [10_000 + project_id, 20_000 + project_id];
      const row = { project_id, description: '', created_at };
      const dated = { ...row, author_id, title: '', search_key: '', updated_at: created_at };
      await schema('labels').insert({ ...row, id: labelOf(project), name: 'bug', color: '#000000' });
      await schema('subjects').insert({ id: closed, kind: 'issue', project_id });
      await schema('issues').insert({
        ...{ ...dated, id: closed, iid: closed, kind: 'issue', state: 'closed', confidential: false },
      });
      await schema('subjects').insert({ id: merge, kind: 'merge_request', project_id });
      await schema('merge_requests').insert({
        ...{ ...dated, id: merge, iid: merge, state: 'opened', draft: false, status: 'unchecked', conflicts: '[]' },
        ...{ source_project_id: project_id, source_branch: 'topic', target_branch: 'main', branches_there: true },
        ...{ ahead: 0, behind: 0, squash: false, allow_collaboration: false },
      });
      for (const subject_id of [merge, closed, ...Object.values(issuesOf(project))])
        await schema('subject_labels').insert({ subject_id, label_id: labelOf(project) });
    };
    await holds(async ({ projects }, model, viewer) => {
      const { userId, admin } = viewer;
      // Each world is put down once and looked at by everybody.
      if (userId === null) for (const project of projects) await label(project);
      const counts = await overview.labelCounts(viewer, projects.map(labelOf));
      for (const project of projects) {
        const reads =
          admin || project.visibility === 'public' || (project.visibility === 'internal' && userId !== null);
        const expected = {
          openIssues: model.seesConfidential(project, userId, admin) ? 2 : 1,
          closedIssues: 1,
          openMergeRequests: reads || model.level(project, userId) >= 20 ? 1 : 0,
        };
        expect(counts.get(labelOf(project))).toEqual(model.sees(project, userId, admin) ? expected : undefined);
      }
    });
  });

  it('reads feeds of people and of memberships', async () => {
    const reader = new KnexActivityReader(parts.database.reader);
    await holds(async ({ projects }, model, viewer) => {
      const { userId, admin } = viewer;
      const entries = (of: typeof projects): readonly number[] =>
        of.flatMap((project) => [
          ...(model.sees(project, userId, admin) ? [issuesOf(project).ordinary] : []),
          ...(model.seesConfidential(project, userId, admin) ? [issuesOf(project).confidential] : []),
        ]);
      for (const authorId of PEOPLE) {
        const feed = { kind: 'author', authorId } as const;
        const slice = await reader.listAfter({ viewer, feed, filter: FILTER, sort: 'desc' }, undefined, 100);
        const written = projects.filter(({ author }) => author === authorId);
        expect(idsOf(await itemsOf(slice.batches))).toEqual(entries(written));
      }
      // An administrator sees more than their memberships.
      if (admin) return;
      const feed = { kind: 'memberships' } as const;
      const slice = await reader.listAfter({ viewer, feed, filter: FILTER, sort: 'desc' }, undefined, 100);
      const joined = projects.filter((project) => model.level(project, userId) > 0);
      expect(idsOf(await itemsOf(slice.batches))).toEqual(entries(joined));
    });
  });

  it('finds whom to mail, and whom an issue may be assigned to', async () => {
    const audience = new KnexAudience(parts.database.reader, new KnexSubjects(parts.database.reader, []));
    await holds(async ({ projects }, model, { userId }) => {
      if (userId !== null) return;
      for (const project of projects) {
        const { id, namespace: namespaceId, visibility } = project;
        const none = { subjectId: null, noteId: null, alertId: null, actorId: null };
        const cause = {
          id: 1,
          kind: 'alert_opened',
          projectId: id,
          ...none,
          details: {},
          toldUpTo: 0,
          at: NOW,
        } as const;
        const place = { id, namespaceId, name: '', fullPath: '', visibility, features: ALL_ENABLED };
        const topic = { project: place, subject: null, note: null, alert: null, actor: null, labels: [] };
        const members = PEOPLE.filter((user) => model.level(project, user) > 0);
        expect(await audience.candidates(cause, topic, [], TODAY, { after: 0, limit: 100 })).toEqual(members);
        const people = await audience.people(cause, topic, PEOPLE, TODAY);
        expect(people.map(({ level }) => level)).toEqual(PEOPLE.map((user) => model.level(project, user)));
        const assignable = await parts.work(({ issues }) => issues.assignable(id, PEOPLE, TODAY));
        const able = PEOPLE.filter((user) => visibility !== 'private' || user === 1 || members.includes(user));
        expect([...assignable].sort()).toEqual(able);
      }
    });
  });
});

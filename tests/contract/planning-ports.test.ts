import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Milestones } from '../../src/application/planning/milestones.js';
import type { UserActor } from '../../src/application/shared/actor.js';
import type { DomainEvent } from '../../src/application/shared/domain-events.js';
import { WorkspaceAccess } from '../../src/application/workspace/workspace-access.js';
import { BadRequest, Conflict, Invalid, NotFound } from '../../src/domain/shared/domain-error.js';
import { COUNT_LIMIT, MAX_OFFSET } from '../../src/domain/shared/page.js';
import type { IssueQuery, MilestoneQuery } from '../../src/application/planning/ports/planning-readers.js';
import type { NewIssue, NewMilestone } from '../../src/application/planning/ports/planning-repositories.js';
import { KnexNoteReader } from '../../src/adapters/outbound/persistence/knex/collaboration/knex-note-reader.js';
import { KnexMilestoneReader } from '../../src/adapters/outbound/persistence/knex/planning/knex-milestone-reader.js';
import { KnexPlanningOverview } from '../../src/adapters/outbound/persistence/knex/planning/knex-planning-overview.js';
import { KnexLabelSubscriptionReader } from '../../src/adapters/outbound/persistence/knex/planning/knex-label-subscriptions.js';
import { KnexPlanningReader } from '../../src/adapters/outbound/persistence/knex/planning/knex-planning-reader.js';
import { KnexWorkspaceReader } from '../../src/adapters/outbound/persistence/knex/workspace/knex-workspace-reader.js';
import { after, ContractParts, NOW } from '../support/contract-parts.js';
import { describeEachDatabase } from '../support/databases.js';
import { whole } from '../support/whole-page.js';
import type { NamespaceId, ProjectId, UserId } from '../../src/domain/shared/identifiers.js';

const TODAY = '2026-03-01';
const COLOR = '#6699CC';
/** More than one statement of either database may say one by one. */
const MANY = 600;

describeEachDatabase('the ports of planning', (openTestDatabase) => {
  let parts: ContractParts;
  let reader: KnexPlanningReader;
  let noteReader: KnexNoteReader;
  let ada: { id: UserId; namespaceId: NamespaceId };
  let grace: { id: UserId; namespaceId: NamespaceId };
  const told: DomainEvent[] = [];
  let serial = 0;

  beforeAll(async () => {
    parts = new ContractParts(await openTestDatabase(), [(event) => Promise.resolve(void told.push(event))]);
    reader = new KnexPlanningReader(parts.database.reader);
    noteReader = new KnexNoteReader(parts.database.reader);
    ada = await parts.addUser('ada');
    grace = await parts.addUser('grace');
  });

  afterAll(() => parts.close());

  const addProject = (visibility: 'private' | 'internal' | 'public' = 'private', path?: string) =>
    parts.addProject(ada, { visibility, ...(path !== undefined && { path }) });
  const addIssue = (projectId: ProjectId, changes: Partial<NewIssue> = {}) =>
    parts.work(({ issues }) =>
      issues.add({
        projectId,
        kind: 'issue',
        title: 'Title',
        description: 'Words',
        severity: null,
        confidential: false,
        dueDate: null,
        authorId: ada.id,
        createdAt: NOW,
        ...changes,
      }),
    );
  const viewer = (userId: UserId | null = ada.id, admin = false) => ({ userId, admin, today: TODAY });
  const list = async (query: Partial<IssueQuery> = {}) =>
    whole(
      await reader.listIssues({
        viewer: viewer(),
        orderBy: 'created_at',
        sort: 'asc',
        page: { page: 1, perPage: 100 },
        ...query,
      }),
    );
  const titles = async (query: Partial<IssueQuery>) => (await list(query)).items.map(({ title }) => title);

  describe('issues', () => {
    it('are kept as they were opened, to the millisecond, and read with everything that is shown of them', async () => {
      const projectId = await addProject('private', 'kept');
      const issue = await addIssue(projectId, {
        kind: 'incident',
        severity: 'high',
        confidential: true,
        dueDate: '2026-12-24',
      });
      expect(issue).toEqual({
        id: issue.id,
        projectId,
        iid: 1,
        kind: 'incident',
        title: 'Title',
        description: 'Words',
        state: 'opened',
        severity: 'high',
        confidential: true,
        dueDate: '2026-12-24',
        milestoneId: null,
        authorId: ada.id,
        closedById: null,
        createdAt: NOW,
        updatedAt: NOW,
        closedAt: null,
        movedToId: null,
        duplicatedToId: null,
        discussionLocked: null,
      });
      expect(await parts.work(({ issues }) => issues.find(issue.id))).toEqual(issue);
      expect(await reader.findIssue(projectId, 1, viewer())).toEqual({
        ...issue,
        projectPath: 'ada/kept',
        author: { id: ada.id, username: 'ada', name: 'ada', state: 'active' },
        closedBy: null,
        assignees: [],
        labels: [],
        milestone: null,
        userNotesCount: 0,
        mergeRequestsCount: 0,
        upvotes: 0,
        downvotes: 0,
        time: { estimatedSeconds: 0, spentSeconds: 0 },
      });
      expect(await reader.findIssue(projectId, 2, viewer())).toBeUndefined();
      expect(await parts.work(({ issues }) => issues.find(0))).toBeUndefined();
    });

    it('are numbered within their project without gaps, whoever races, and a work that fails takes no number', async () => {
      const projectId = await addProject();
      const opened = await Promise.all(Array.from({ length: 8 }, () => addIssue(projectId)));
      expect(opened.map(({ iid }) => iid).sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
      const failing = parts.work(async ({ issues }) => {
        await issues.add({ ...opened[0]!, createdAt: NOW });
        throw new Error('on purpose');
      });
      await expect(failing).rejects.toThrow('on purpose');
      expect((await addIssue(projectId)).iid).toBe(9);
      expect((await addIssue(await addProject())).iid).toBe(1);
    });

    it('change in what is given and nothing else, and are searched as they read now', async () => {
      const projectId = await addProject();
      const { id } = await addIssue(projectId, { title: 'Before', dueDate: '2026-12-24' });
      await parts.work(({ issues }) => issues.update(id, { title: 'Ärger' }, after(1)));
      expect(await parts.work(({ issues }) => issues.find(id))).toMatchObject({
        title: 'Ärger',
        description: 'Words',
        dueDate: '2026-12-24',
        updatedAt: after(1),
      });
      expect(await titles({ projectId, search: 'ÄRGER' })).toEqual(['Ärger']);
      expect(await titles({ projectId, search: 'before' })).toEqual([]);
      await parts.work(({ issues }) => issues.update(id, { dueDate: null, confidential: true }, after(2)));
      expect(await parts.work(({ issues }) => issues.find(id))).toMatchObject({ dueDate: null, confidential: true });
      await parts.work(({ issues }) => issues.update(0, { title: 'of nothing' }, after(2)));
    });

    it('are closed once, by whom and when, and reopened once', async () => {
      const { id } = await addIssue(await addProject());
      const change = (state: 'opened' | 'closed', seconds: number) =>
        parts.work(({ issues }) => issues.changeState(id, state, grace.id, after(seconds)));
      expect([await change('closed', 1), await change('closed', 2)]).toEqual([true, false]);
      expect(await parts.work(({ issues }) => issues.find(id))).toMatchObject({
        state: 'closed',
        closedById: grace.id,
        closedAt: after(1),
        updatedAt: after(1),
      });
      expect([await change('opened', 3), await change('opened', 4)]).toEqual([true, false]);
      expect(await parts.work(({ issues }) => issues.find(id))).toMatchObject({ closedById: null, closedAt: null });
    });

    it('are assigned to people who are there, and labelled with labels that are made where they are missing', async () => {
      const projectId = await addProject();
      const issue = await addIssue(projectId);
      await parts.work(async ({ issues, labels, subjectLabels }) => {
        await labels.add(projectId, { name: 'bug', color: '#FF0000', description: 'known', priority: 0 }, NOW);
        await issues.setAssignees(issue.id, [grace.id, ada.id, 999_999 as UserId]);
        await subjectLabels.set(issue, ['urgent', 'bug'], COLOR, NOW);
      });
      expect(await reader.findIssue(projectId, issue.iid, viewer())).toMatchObject({
        assignees: [{ id: ada.id }, { id: grace.id }],
        labels: ['bug', 'urgent'],
      });
      expect(await reader.findLabel(projectId, 'bug')).toMatchObject({ color: '#FF0000', description: 'known' });
      expect(await reader.findLabel(projectId, 'urgent')).toMatchObject({ color: COLOR });
      await parts.work(async ({ issues, subjectLabels }) => {
        await issues.setAssignees(issue.id, []);
        await subjectLabels.set(issue, [], COLOR, NOW);
      });
      expect(await reader.findIssue(projectId, issue.iid, viewer())).toMatchObject({ assignees: [], labels: [] });
    });

    it('are given as many labels and people as there are, in one work', async () => {
      const projectId = await addProject();
      const issue = await addIssue(projectId);
      const names = Array.from({ length: MANY }, (_, n) => `label ${n}`);
      const given = await parts.work(({ subjectLabels }) => subjectLabels.set(issue, names, COLOR, NOW));
      expect([given.all.length, given.added.length, given.removed.length]).toEqual([MANY, MANY, 0]);
      const people: UserId[] = [];
      for (let n = 0; n < MANY; n += 1) people.push((await parts.addUser(`one-of-many-${n}`)).id);
      const assigned = await parts.work(({ issues }) => issues.setAssignees(issue.id, people));
      expect(assigned.added.length).toBe(MANY);
    });

    it('go with their comments, and outlive the accounts of those who wrote them', async () => {
      const projectId = await addProject();
      const gone = await parts.addUser('leaving');
      const issue = await addIssue(projectId, { authorId: gone.id });
      const note = await parts.work(({ notes }) =>
        notes.add({ subjectId: issue.id, authorId: gone.id, body: 'Bye', system: false, createdAt: NOW }),
      );
      await parts.work(({ users }) => users.remove(gone.id));
      expect(await reader.findIssue(projectId, issue.iid, viewer())).toMatchObject({ authorId: null, author: null });
      expect(await noteReader.find(issue.id, note.id)).toMatchObject({ author: null, body: 'Bye' });
      await parts.work(({ issues }) => issues.remove(issue.id));
      expect(await parts.work(({ notes }) => notes.find(note.id))).toBeUndefined();
    });
  });

  describe('the list of issues', () => {
    it('is narrowed by everything that is asked for at once', async () => {
      const projectId = await addProject();
      const make = async (title: string, labels: readonly string[], changes: Partial<NewIssue> = {}) => {
        const issue = await addIssue(projectId, { title, ...changes });
        await parts.work(({ subjectLabels }) => subjectLabels.set(issue, labels, COLOR, NOW));
        return issue;
      };
      const both = await make('both', ['bug', 'urgent'], { authorId: grace.id });
      await make('bug', ['bug'], { createdAt: after(1) });
      await make('plain', [], { createdAt: after(2), kind: 'incident' });
      await parts.work(async ({ issues }) => {
        await issues.setAssignees(both.id, [grace.id]);
        await issues.changeState(both.id, 'closed', ada.id, after(3));
      });
      const found = async (query: Partial<IssueQuery>) => titles({ projectId, ...query });
      expect(await found({ labels: ['bug'] })).toEqual(['both', 'bug']);
      expect(await found({ labels: ['bug', 'urgent'] })).toEqual(['both']);
      expect(await found({ labels: ['bug', 'missing'] })).toEqual([]);
      expect(await found({ labelled: true })).toEqual(['both', 'bug']);
      expect(await found({ labelled: false })).toEqual(['plain']);
      expect(await found({ iids: [1, 3, 77] })).toEqual(['both', 'plain']);
      expect(await found({ iids: [] })).toEqual([]);
      expect(await found({ kind: 'incident' })).toEqual(['plain']);
      expect(await found({ state: 'closed' })).toEqual(['both']);
      expect(await found({ authorId: grace.id, assigneeId: grace.id })).toEqual(['both']);
      expect(await found({ authorId: grace.id, state: 'opened' })).toEqual([]);
      expect(await found({ search: 'PLA' })).toEqual(['plain']);
      expect(await found({ search: '%' })).toEqual([]);
      expect(await found({ orderBy: 'updated_at', sort: 'desc' })).toEqual(['both', 'plain', 'bug']);
    });

    it('is read in batches, each as far as the viewer may see it by then', async () => {
      const projectId = await addProject('public', 'batches');
      const description = 'x'.repeat(300_000);
      const made: { id: number }[] = [];
      for (const title of ['first', 'second', 'third', 'fourth'])
        made.push(await addIssue(projectId, { title, description }));
      const page = await reader.listIssues({
        viewer: viewer(null),
        projectId,
        orderBy: 'created_at',
        sort: 'asc',
        page: { page: 1, perPage: 100 },
      });
      const seen: string[][] = [];
      for await (const batch of page.batches) {
        seen.push(batch.map(({ title }) => title));
        if (seen.length > 1) continue;
        await parts.work(({ issues }) => issues.update(made[1]?.id ?? 0, { confidential: true }, NOW));
        await parts.work(({ issues }) => issues.remove(made[2]?.id ?? 0));
      }
      expect(seen.flat()).toEqual(['first', 'fourth']);
      expect(page.total).toBe(4);
    });

    it('is paged in a steady order, with its total', async () => {
      const projectId = await addProject();
      for (let number = 1; number <= 5; number += 1) await addIssue(projectId, { title: String(number) });
      const pages = await Promise.all(
        [1, 2, 3, 4].map((page) => list({ projectId, sort: 'desc', page: { page, perPage: 2 } })),
      );
      expect(pages.map(({ items }) => items.map(({ title }) => title))).toEqual([['5', '4'], ['3', '2'], ['1'], []]);
      expect(pages.map(({ hasNext, total }) => [hasNext, total])).toEqual([
        [true, 5],
        [true, 5],
        [false, 5],
        [false, 5],
      ]);
      expect(await list({ projectId, page: { page: 1, perPage: 2, counted: false } })).not.toHaveProperty('total');
    });

    it('shows what the viewer may see: by the project, and confidential ones from reporter up, author and assignees', async () => {
      const projects = {
        private: await addProject('private'),
        internal: await addProject('internal'),
        public: await addProject('public'),
      };
      for (const [title, projectId] of Object.entries(projects)) await addIssue(projectId, { title: `seen ${title}` });
      const secret = await addIssue(projects.public, { title: 'seen secret', confidential: true });
      const stranger = await parts.addUser('stranger');
      const seen = (who: IssueQuery['viewer']) => titles({ viewer: who, search: 'seen' });
      expect(await seen(viewer(null))).toEqual(['seen public']);
      expect(await seen(viewer(stranger.id))).toEqual(['seen internal', 'seen public']);
      expect(await seen(viewer(stranger.id, true))).toHaveLength(4);
      expect(await seen(viewer(ada.id))).toHaveLength(4);
      await parts.work(({ issues }) => issues.setAssignees(secret.id, [stranger.id]));
      expect(await seen(viewer(stranger.id))).toContain('seen secret');
      const [guest, reporter] = [await parts.addUser('guest'), await parts.addUser('reporter')];
      const join = (userId: UserId, accessLevel: 10 | 20, expiresAt: string | null = null) =>
        parts.work(({ projectMembers }) =>
          projectMembers.add(projects.public, { userId, accessLevel, expiresAt, createdAt: NOW }),
        );
      await join(guest.id, 10);
      await join(reporter.id, 20);
      await join(grace.id, 20, TODAY);
      expect(await seen(viewer(guest.id))).not.toContain('seen secret');
      expect(await seen(viewer(reporter.id))).toContain('seen secret');
      expect(await seen(viewer(grace.id))).not.toContain('seen secret');
    });

    it('leaves out projects that are to be removed', async () => {
      const projectId = await addProject();
      await addIssue(projectId, { title: 'doomed' });
      await parts.work(({ projects }) => projects.requestRemoval(projectId, NOW));
      expect(await titles({ viewer: viewer(ada.id, true), search: 'doomed' })).toEqual([]);
    });
  });

  describe('notes', () => {
    it('are kept, changed, listed either way and removed; the service’s own are not counted as comments', async () => {
      const projectId = await addProject();
      const issue = await addIssue(projectId);
      const add = (body: string, seconds: number, system = false) =>
        parts.work(({ notes }) =>
          notes.add({ subjectId: issue.id, authorId: grace.id, body, system, createdAt: after(seconds) }),
        );
      const first = await add('first', 1);
      const second = await add('second', 2);
      await add('closed', 3, true);
      expect(first).toEqual({
        id: first.id,
        subjectId: issue.id,
        authorId: grace.id,
        body: 'first',
        system: false,
        discussionId: null,
        createdAt: after(1),
        updatedAt: after(1),
      });
      await parts.work(({ notes }) => notes.update(first.id, 'mended', after(9)));
      const bodies = async (orderBy: 'created_at' | 'updated_at', sort: 'asc' | 'desc') =>
        (await whole(await noteReader.list(issue.id, { orderBy, sort, page: { page: 1, perPage: 10 } }))).items.map(
          ({ body }) => body,
        );
      expect(await bodies('created_at', 'asc')).toEqual(['mended', 'second', 'closed']);
      expect(await bodies('updated_at', 'desc')).toEqual(['mended', 'closed', 'second']);
      expect(await reader.findIssue(projectId, issue.iid, viewer())).toMatchObject({ userNotesCount: 2 });
      expect(await noteReader.find(issue.id, second.id)).toMatchObject({ author: { username: 'grace' } });
      expect(await noteReader.find(issue.id + 1, second.id)).toBeUndefined();
      await parts.work(({ notes }) => notes.remove(second.id));
      expect(await parts.work(({ notes }) => notes.find(second.id))).toBeUndefined();
    });

    it('are held by whoever takes one, so that others read what that one has left', async () => {
      const issue = await addIssue(await addProject());
      const added = await parts.work(({ notes }) =>
        notes.add({ subjectId: issue.id, authorId: grace.id, body: '', system: false, createdAt: after(1) }),
      );
      const append = (letter: string) =>
        parts.work(async ({ notes }) => {
          const held = await notes.take(added.id);
          await notes.update(added.id, `${held!.body}${letter}`, after(2));
        });
      const letters = ['a', 'b', 'c', 'd', 'e', 'f'];
      await Promise.all(letters.map(append));
      const body = (await parts.work(({ notes }) => notes.find(added.id)))?.body;
      expect(body).toHaveLength(letters.length);
      for (const letter of letters) expect(body).toContain(letter);
      await parts.work(({ notes }) => notes.remove(added.id));
      expect(await parts.work(({ notes }) => notes.take(added.id))).toBeUndefined();
    });
  });

  describe('labels', () => {
    it('have names of their own within their project, and are found by id or name', async () => {
      const [projectId, other] = [await addProject(), await addProject()];
      const add = (where: number, name: string) =>
        parts.work(({ labels }) =>
          labels.add(where as ProjectId, { name, color: COLOR, description: '', priority: null }, NOW),
        );
      const bug = await add(projectId, 'bug');
      const wish = await add(projectId, 'a wish');
      await add(other, 'bug');
      await expect(add(projectId, 'bug')).rejects.toEqual(new Conflict('Label already exists'));
      const rename = parts.work(({ labels }) => labels.update(projectId, wish.id, { ...wish, name: 'bug' }, true));
      await expect(rename).rejects.toBeInstanceOf(Conflict);
      await parts.work(({ labels }) =>
        labels.update(projectId, wish.id, { ...wish, name: 'wish', color: '#000000', priority: 3 }, true),
      );
      expect(await reader.findLabel(projectId, String(bug.id))).toEqual({ ...bug, group: null });
      expect(await reader.findLabel(other, String(bug.id))).toBeUndefined();
      expect(await reader.findLabel(projectId, 'wish')).toEqual({
        id: wish.id,
        name: 'wish',
        color: '#000000',
        description: '',
        priority: 3,
        group: null,
      });
      const { items } = await reader.listLabels(projectId, { page: 1, perPage: 10 });
      expect(items.map(({ name }) => name)).toEqual(['bug', 'wish']);
    });

    it('are paged up to an entry that a database reaches quickly', async () => {
      const [few, many] = [await addProject(), await addProject()];
      await parts.work(({ labels }) =>
        labels.add(few, { name: 'bug', color: COLOR, description: '', priority: null }, NOW),
      );
      const rows = Array.from({ length: COUNT_LIMIT + 1 }, (_, number) => ({
        project_id: many,
        name: `label ${number}`,
        color: COLOR,
        description: '',
        created_at: parts.database.reader.dialect.writeInstant(NOW),
      }));
      await parts.database.schema.batchInsert('labels', rows, 500);
      const deep = { page: MAX_OFFSET + 2, perPage: 1 };
      expect(await reader.listLabels(few, deep)).toEqual({ items: [], hasNext: false, total: 1 });
      await expect(reader.listLabels(many, deep)).rejects.toBeInstanceOf(BadRequest);
      expect(await reader.listLabels(many, { page: MAX_OFFSET + 1, perPage: 1 })).toEqual({
        items: [],
        hasNext: false,
      });
    });

    it('tell who subscribed to them, as said last, until they are removed', async () => {
      const where = await addProject();
      const asker = (await parts.addUser('asker')).id;
      const page = { page: 1, perPage: 10 };
      const shown = async (subscriber: UserId | null) =>
        (await reader.listLabels(where, page, { subscriber })).items.map(({ name, subscribed }) => [name, subscribed]);
      const [one, other] = await parts.work(async ({ labels }) => {
        const label = { color: COLOR, description: '', priority: null };
        return [
          await labels.add(where, { name: 'one', ...label }, NOW),
          await labels.add(where, { name: 'other', ...label }, NOW),
        ] as const;
      });
      const change = (act: 'add' | 'remove') =>
        parts.work(({ labelSubscriptions }) => labelSubscriptions[act](one.id, asker, NOW));
      const subscriptions = new KnexLabelSubscriptionReader(parts.database.reader);
      expect([await change('remove'), await change('add'), await change('add')]).toEqual([false, true, false]);
      expect(await subscriptions.isSubscribed(one.id, asker)).toBe(true);
      expect(await subscriptions.isSubscribed(other.id, asker)).toBe(false);
      expect(await shown(asker)).toEqual([
        ['one', true],
        ['other', false],
      ]);
      expect((await shown(null)).flat()).not.toContain(true);
      expect([await change('remove'), await change('remove'), await change('add')]).toEqual([true, false, true]);
      await parts.work(({ labels }) => labels.remove(one.id));
      expect(await subscriptions.isSubscribed(one.id, asker)).toBe(false);
    });

    it('that are removed leave the issues that had them', async () => {
      const projectId = await addProject();
      const issue = await addIssue(projectId);
      await parts.work(({ subjectLabels }) => subjectLabels.set(issue, ['passing'], COLOR, NOW));
      const label = await reader.findLabel(projectId, 'passing');
      await parts.work(({ labels }) => labels.remove(label?.id ?? 0));
      expect(await parts.work(({ labels }) => labels.find(projectId, label?.id ?? 0))).toBeUndefined();
      expect(await reader.findIssue(projectId, issue.iid, viewer())).toMatchObject({ labels: [] });
    });
  });

  describe('milestones', () => {
    const milestoneReader = () => new KnexMilestoneReader(parts.database.reader);
    const addMilestone = (projectId: ProjectId, changes: Partial<NewMilestone> = {}) =>
      parts.work(({ milestones }) =>
        milestones.add({
          projectId,
          title: `M${(serial += 1)}`,
          description: 'Words',
          startDate: null,
          dueDate: null,
          createdAt: NOW,
          ...changes,
        }),
      );

    it('are kept as they were made, numbered within their project, and found by id or number', async () => {
      const projectId = await addProject('private', 'planned');
      const milestone = await addMilestone(projectId, { title: '1.0', startDate: '2026-03-01', dueDate: '2026-03-31' });
      expect(milestone).toEqual({
        id: milestone.id,
        projectId,
        group: null,
        iid: 1,
        title: '1.0',
        description: 'Words',
        state: 'active',
        startDate: '2026-03-01',
        dueDate: '2026-03-31',
        createdAt: NOW,
        updatedAt: NOW,
      });
      expect((await addMilestone(projectId)).iid).toBe(2);
      const details = { ...milestone, projectPath: 'ada/planned' };
      expect(await milestoneReader().find(projectId, { id: milestone.id })).toEqual(details);
      expect(await milestoneReader().find(projectId, { iid: 1 })).toEqual(details);
      const elsewhere = await addProject();
      expect(await milestoneReader().find(elsewhere, { id: milestone.id })).toBeUndefined();
      expect(await parts.work(({ milestones }) => milestones.take(elsewhere, milestone.id))).toBeUndefined();
    });

    it('have titles of their own within their project, whoever races', async () => {
      const projectId = await addProject();
      const races = await Promise.allSettled(
        Array.from({ length: 6 }, () => addMilestone(projectId, { title: '1.0' })),
      );
      const lost = races.flatMap((race) => (race.status === 'rejected' ? [race.reason as unknown] : []));
      expect(lost).toEqual(new Array(5).fill(new Invalid({ title: ['has already been taken'] })));
      const next = await addMilestone(projectId, { title: '2.0' });
      const rename = parts.work(({ milestones }) => milestones.update(next, { ...next, title: '1.0' }, NOW));
      await expect(rename).rejects.toBeInstanceOf(Invalid);
      await addMilestone(await addProject(), { title: '1.0' });
      expect(next.iid).toBe(2);
    });

    it('change in what is given and nothing else, and are closed once', async () => {
      const projectId = await addProject();
      const added = await addMilestone(projectId, { startDate: '2026-03-01', dueDate: '2026-03-31' });
      const { id } = added;
      await parts.work(({ milestones }) =>
        milestones.update(added, { ...added, dueDate: null, title: 'Öffnung' }, after(1)),
      );
      const change = (state: 'active' | 'closed') =>
        parts.work(({ milestones }) => milestones.changeState(id, state, after(2)));
      expect([await change('closed'), await change('closed')]).toEqual([true, false]);
      expect(await milestoneReader().find(projectId, { id })).toMatchObject({
        title: 'Öffnung',
        description: 'Words',
        startDate: '2026-03-01',
        dueDate: null,
        state: 'closed',
        updatedAt: after(2),
      });
      expect((await listed({ projectId, search: 'öFFN' })).length).toBe(1);
    });

    const listed = async (query: Pick<MilestoneQuery, 'projectId'> & Partial<MilestoneQuery>) =>
      (await whole(await milestoneReader().list({ page: { page: 1, perPage: 100 }, ...query }))).items.map(
        ({ title }) => title,
      );

    it('are listed as they are due, narrowed by number, state, title and text', async () => {
      const projectId = await addProject();
      await addMilestone(projectId, { title: 'whenever' });
      await addMilestone(projectId, { title: 'late', dueDate: '2026-12-31' });
      const soon = await addMilestone(projectId, { title: 'soon', dueDate: '2026-03-31', description: '100 %' });
      await parts.work(({ milestones }) => milestones.changeState(soon.id, 'closed', NOW));
      expect(await listed({ projectId })).toEqual(['soon', 'late', 'whenever']);
      expect(await listed({ projectId, iids: [1, 3] })).toEqual(['soon', 'whenever']);
      expect(await listed({ projectId, iids: [] })).toEqual([]);
      expect(await listed({ projectId, state: 'active' })).toEqual(['late', 'whenever']);
      expect(await listed({ projectId, titles: ['late'] })).toEqual(['late']);
      expect(await listed({ projectId, titles: ['LATE'] })).toEqual([]);
      expect(await listed({ projectId, search: '0 %' })).toEqual(['soon']);
      const second = await whole(await milestoneReader().list({ projectId, page: { page: 2, perPage: 2 } }));
      expect(second).toMatchObject({ items: [{ title: 'whenever' }], hasNext: false, total: 3 });
    });

    it('tell what those are called that are open, without their texts', async () => {
      const projectId = await addProject();
      const whenever = await addMilestone(projectId, { title: 'whenever', description: 'Long' });
      const late = await addMilestone(projectId, { title: 'late', dueDate: '2026-12-31' });
      const done = await addMilestone(projectId, { title: 'done' });
      await parts.work(({ milestones }) => milestones.changeState(done.id, 'closed', NOW));
      const overview = new KnexPlanningOverview(parts.database.reader);

      expect(await overview.openMilestones(projectId, 10)).toEqual([
        { id: late.id, title: 'late' },
        { id: whenever.id, title: 'whenever' },
      ]);
      expect(await overview.openMilestones(projectId, 1)).toEqual([{ id: late.id, title: 'late' }]);
    });

    it('and labels are told by name of all lively projects of a namespace that the viewer sees, each once', async () => {
      const { namespaceId, id: hedy } = await parts.addUser('hedy');
      const told = async (name: string, visibility: 'private' | 'public', dueDate: string | null) => {
        const base = { namespaceId, name, path: name, description: null, visibility, defaultBranch: 'main' } as const;
        const rest = { mergeWhenPipelineSucceeds: false, creatorId: hedy, createdAt: NOW };
        const projectId = await parts.work(({ projects }) => projects.add({ ...base, ...rest }));
        await addMilestone(projectId, { title: name, dueDate });
        await addMilestone(projectId, { title: 'both', dueDate: '2026-12-31' });
        const label = { color: COLOR, description: '', priority: null };
        await parts.work(async ({ labels }) => {
          await labels.add(projectId, { name, ...label }, NOW);
          await labels.add(projectId, { name: 'both', ...label }, NOW);
        });
        return projectId;
      };
      const open = await told('open', 'public', null);
      await told('kept', 'private', '2026-05-01');
      const old = await told('old', 'public', '2026-04-01');
      await parts.work(({ projects }) => projects.update(old, { archived: true }, NOW));
      // Neither its issues nor its merge requests are for strangers.
      const shut = await told('shut', 'public', '2026-06-01');
      const features = { issues: 'private', merge_requests: 'disabled' } as const;
      await parts.work(({ projects }) => projects.update(shut, { features }, NOW));
      const done = await addMilestone(open, { title: 'done' });
      await parts.work(({ milestones }) => milestones.changeState(done.id, 'closed', NOW));
      const overview = new KnexPlanningOverview(parts.database.reader);
      const seen = async (userId: UserId | null, limit = 10) => [
        await overview.labelNamesWithin(viewer(userId), namespaceId, limit),
        await overview.milestoneTitlesWithin(viewer(userId), namespaceId, limit),
      ];
      expect(await seen(hedy)).toEqual([
        ['both', 'kept', 'open', 'shut'],
        ['kept', 'shut', 'both', 'open'],
      ]);
      for (const stranger of [grace.id, null])
        expect(await seen(stranger)).toEqual([
          ['both', 'open'],
          ['both', 'open'],
        ]);
      expect(await seen(hedy, 1)).toEqual([['both'], ['kept']]);
    });

    it('narrow the list of issues, and leave their issues when they are removed', async () => {
      const projectId = await addProject();
      const milestone = await addMilestone(projectId, { title: '1.0' });
      const planned = await addIssue(projectId, { title: 'planned', milestoneId: milestone.id });
      const later = await addIssue(projectId, { title: 'later' });
      const found = (query: Partial<IssueQuery>) => titles({ projectId, ...query });
      expect(await found({ milestoneTitle: '1.0' })).toEqual(['planned']);
      expect(await found({ milestoneTitle: '2.0' })).toEqual([]);
      expect(await found({ milestoneId: milestone.id })).toEqual(['planned']);
      expect(await found({ planned: true })).toEqual(['planned']);
      expect(await found({ planned: false })).toEqual(['later']);
      expect(await reader.findIssue(projectId, planned.iid, viewer())).toMatchObject({ milestone });
      await parts.work(({ issues }) => issues.update(later.id, { milestoneId: milestone.id }, after(1)));
      expect(await found({ milestoneTitle: '1.0', search: 'later' })).toEqual(['later']);
      await parts.work(({ issues }) => issues.update(later.id, { title: 'still later' }, after(2)));
      expect(await found({ planned: true })).toEqual(['planned', 'still later']);
      await parts.work(({ milestones }) => milestones.remove(milestone.id));
      expect(await found({ planned: false })).toEqual(['planned', 'still later']);
      expect(await reader.findIssue(projectId, planned.iid, viewer())).toMatchObject({
        milestone: null,
        milestoneId: null,
      });
    });

    it('count by day the issues that they have now and the viewer may see: when they came, and when they were closed', async () => {
      const projectId = await addProject('public');
      const [milestone, other] = [await addMilestone(projectId), await addMilestone(projectId)];
      const planned = { milestoneId: milestone.id };
      const day = (days: number) => after(days * 86_400);
      const dayOf = (days: number) => day(days).toISOString().slice(0, 10);
      await addIssue(projectId, planned);
      const came = await addIssue(projectId, planned);
      const done = await addIssue(projectId, planned);
      await addIssue(projectId, { ...planned, confidential: true });
      await addIssue(projectId, { milestoneId: other.id });
      await parts.work(async ({ resourceEvents, issues }) => {
        const add = (milestoneId: number, at: Date) =>
          resourceEvents.add(came.id, [{ kind: 'milestone', action: 'add', milestoneId }], ada.id, at);
        await add(milestone.id, day(1));
        await add(other.id, day(2));
        await add(milestone.id, day(3));
        await issues.changeState(done.id, 'closed', ada.id, day(4));
      });
      const overview = new KnexPlanningOverview(parts.database.reader);
      const seen = async (who: IssueQuery['viewer'], limit = 10) => {
        const { joined, closed } = await overview.dailyProgressOf(who, milestone.id, limit);
        return [Object.fromEntries(joined), Object.fromEntries(closed)];
      };
      const closed = { [dayOf(4)]: 1 };
      expect(await seen(viewer(null))).toEqual([{ [dayOf(0)]: 2, [dayOf(3)]: 1 }, closed]);
      expect(await seen(viewer(ada.id))).toEqual([{ [dayOf(0)]: 3, [dayOf(3)]: 1 }, closed]);
      const bounded = await overview.dailyProgressOf(viewer(ada.id), milestone.id, 2);
      expect([...bounded.joined.values()].reduce((sum, count) => sum + count, 0)).toBe(2);
    });

    it('tell what happened to them, once for each time that it did', async () => {
      const projectId = await addProject();
      const useCase = new Milestones({ execute: (work) => parts.work(work) }, { now: () => NOW });
      const actor: UserActor = {
        kind: 'user',
        id: grace.id,
        username: 'grace',
        admin: false,
        credential: { kind: 'session' },
      };
      const access = new WorkspaceAccess(new KnexWorkspaceReader(parts.database.reader), { now: () => NOW });
      const owner: UserActor = { ...actor, id: ada.id, username: 'ada' };
      const permitted = await access.project(owner, String(projectId), 'manage_milestones');
      told.splice(0);
      const id = await useCase.create(actor, permitted, { title: '1.0' });
      await useCase.edit(actor, permitted, id, { stateEvent: 'activate' });
      await useCase.edit(actor, permitted, id, { title: '1.1', stateEvent: 'close' });
      await useCase.edit(actor, permitted, id, { stateEvent: 'close', description: 'Done' });
      await useCase.edit(actor, permitted, id, { stateEvent: 'activate' });
      await expect(useCase.edit(actor, permitted, id, { title: '' })).rejects.toBeInstanceOf(Invalid);
      await useCase.remove(actor, permitted, id);
      await expect(useCase.remove(actor, permitted, id)).rejects.toBeInstanceOf(NotFound);
      const facts = (kind: string, title: string) => ({
        kind,
        milestone: { id, iid: 1, projectId, title },
        by: grace.id,
      });
      expect(told).toMatchObject([
        facts('milestone_opened', '1.0'),
        facts('milestone_closed', '1.1'),
        facts('milestone_reopened', '1.1'),
        facts('milestone_removed', '1.1'),
      ]);
    });
  });
});

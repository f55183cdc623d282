import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Feed, Position } from '../../src/application/activity/ports/activity-reader.js';
import type { FeedPlace, NewActivityEvent } from '../../src/application/activity/ports/activity-repository.js';
import { KnexActivityReader } from '../../src/adapters/outbound/persistence/knex/activity/knex-activity-reader.js';
import { insertInto } from '../../src/adapters/outbound/persistence/knex/insert-rows.js';
import { Session } from '../../src/adapters/outbound/persistence/knex/session.js';
import type { Thresholds } from '../../src/adapters/outbound/persistence/knex/activity/thresholds.js';
import { ACTIONS, TARGET_TYPES, type ActivityEvent } from '../../src/domain/activity/activity-event.js';
import { after, ContractParts, NOW } from '../support/contract-parts.js';
import { describeEachDatabase } from '../support/databases.js';
import { whole } from '../support/whole-page.js';
import type { GroupId, NamespaceId, ProjectId, UserId } from '../../src/domain/shared/identifiers.js';

const TODAY = NOW.toISOString().slice(0, 10);
const LONG_AGO = new Date('2000-01-01T00:00:00.000Z');

/** Every way in which a feed is read, whatever its size. */
const WAYS: readonly Partial<Thresholds>[] = [
  {},
  { fewFeeds: 0 },
  { fewFeeds: 0, glance: 1, walk: 1 },
  { fewFeeds: 0, glance: 1, walk: 1, mostGathered: 1, sample: 1, mostCounted: 0 },
  { fewFeeds: 0, glance: 1, walk: 1, mostGathered: 30, sample: 30 },
  { fewFeeds: 0, glance: 1, walk: 1, mostGathered: 30, sample: 3 },
  { fewProjects: 0 },
  { fewProjects: 0, firstSteps: 1, walk: 2 },
];

describeEachDatabase('the ports of activity', (openTestDatabase) => {
  let parts: ContractParts;
  let ada: { id: UserId; namespaceId: NamespaceId };

  beforeAll(async () => {
    parts = new ContractParts(await openTestDatabase());
    ada = await parts.addUser('ada');
  });

  afterAll(() => parts.close());

  const addProject = (visibility: 'private' | 'public' = 'private', namespaceId = ada.namespaceId) =>
    parts.addProject({ ...ada, namespaceId }, { visibility, defaultBranch: null });
  const addGroup = (parentId?: GroupId): Promise<GroupId> => parts.addGroup(parentId, { visibility: 'public' });
  const join = (projectId: ProjectId, userId: UserId, accessLevel: number) =>
    parts.work(({ projectMembers }) =>
      projectMembers.add(projectId, { userId, accessLevel, expiresAt: null, createdAt: NOW }),
    );
  const entry = (fields: Partial<NewActivityEvent> & Pick<NewActivityEvent, 'projectId' | 'authorId'>) =>
    ({
      action: 'created',
      target: { type: 'issue', id: 1, iid: 1, title: 'Leak' },
      push: null,
      comment: null,
      confidential: false,
      tellsOfCode: false,
      subjectId: null,
      createdAt: NOW,
      ...fields,
    }) satisfies NewActivityEvent;
  const record = (...entries: NewActivityEvent[]) => parts.work(({ activity }) => activity.record(entries));
  const reader = (limits: Partial<Thresholds> = {}) => new KnexActivityReader(parts.database.reader, limits);
  const query = (feed: Feed, userId: UserId, filter: object = {}, sort: 'asc' | 'desc' = 'desc') => ({
    feed,
    viewer: { userId, admin: false, today: TODAY },
    filter: { from: LONG_AGO, ...filter },
    sort,
  });
  const titles = (events: readonly ActivityEvent[]) => events.map(({ target }) => target?.title);
  const titled = (title: string) => ({ type: 'issue', id: 1, iid: 1, title }) as const;

  describe('entries', () => {
    it.each(ACTIONS)('of the action %s are kept and found by it', async (action) => {
      const projectId = await addProject();
      const push = {
        commitCount: 2,
        action: 'created',
        refType: 'branch',
        commitFrom: null,
        commitTo: 'a'.repeat(40),
        ref: 'main',
        commitTitle: 'Begin',
      } as const;
      const given = action === 'pushed' ? { target: null, push } : {};
      await record(entry({ projectId, authorId: ada.id, action, ...given }));
      const other = action === 'joined' ? 'left' : 'joined';
      await record(entry({ projectId, authorId: ada.id, action: other }));
      const feed = { kind: 'project', projectId, level: 50 } as const;
      const { items } = await whole(await reader().listAfter(query(feed, ada.id, { action }), undefined, 5));
      expect(items).toMatchObject([{ action, projectId, author: { username: 'ada' }, createdAt: NOW, ...given }]);
    });

    it.each(TARGET_TYPES)('about a %s are kept and found by it', async (targetType) => {
      const projectId = await addProject();
      const target = { type: targetType, id: 7, iid: 3, title: 'Seven' };
      const other = targetType === 'issue' ? 'milestone' : 'issue';
      await record(
        entry({ projectId, authorId: ada.id, target }),
        entry({ projectId, authorId: ada.id, target: { ...target, type: other } }),
      );
      const feed = { kind: 'author', authorId: ada.id } as const;
      const { items } = await whole(await reader().listAfter(query(feed, ada.id, { targetType }), undefined, 1));
      expect(items).toMatchObject([{ target, projectId }]);
    });
  });

  describe('visibility', () => {
    it('of what tells of code changes with that of the project, step by step', async () => {
      const guest = await parts.addUser('z-guest');
      const projectId = await addProject('public');
      await join(projectId, guest.id, 10);
      const at = (second: number) => ({ createdAt: new Date(NOW.getTime() + second * 1_000) });
      const comment = (noteableType: 'Commit' | 'Issue') => ({
        noteableType,
        noteableId: 1,
        noteableIid: null,
        body: 'x',
      });
      const said = (title: string) => ({ type: 'note', id: 1, iid: null, title }) as const;
      const mergeRequest = { type: 'merge_request', id: 1, iid: 1, title: 'change' } as const;
      const of = { projectId, authorId: guest.id, tellsOfCode: true };
      await record(
        entry({ ...of, target: mergeRequest, ...at(0) }),
        entry({ ...of, tellsOfCode: false, target: titled('issue'), ...at(1) }),
        entry({ ...of, action: 'commented', target: said('of a commit'), comment: comment('Commit'), ...at(2) }),
        entry({ ...of, tellsOfCode: false, target: said('of an issue'), comment: comment('Issue'), ...at(2) }),
      );
      const feed = { kind: 'project', projectId, level: 10 } as const;
      const seen = async () =>
        titles((await whole(await reader().listAfter(query(feed, guest.id), undefined, 9))).items).sort();
      const file = async () => {
        let [place, steps]: [FeedPlace | undefined, number] = [{ projectId }, 0];
        for (; place !== undefined; steps += 1)
          place = await parts.work(({ activity }) => activity.fileEntriesOfCode(place!, 1));
        return steps;
      };
      const all = ['change', 'issue', 'of a commit', 'of an issue'];
      expect(await seen()).toEqual(all);
      await parts.work(({ projects }) => projects.update(projectId, { visibility: 'private' }, NOW));
      expect(await file()).toBe(5);
      expect(await seen()).toEqual(['issue', 'of an issue']);
      expect(await file()).toBe(3);
      await parts.work(({ projects }) => projects.update(projectId, { visibility: 'internal' }, NOW));
      expect(await file()).toBe(3);
      expect(await seen()).toEqual(all);
    });

    it('of what tells of code is that of the code: of a private project reporters read it', async () => {
      const [guest, reporter] = [await parts.addUser('a-guest'), await parts.addUser('a-reporter')];
      const groupId = await addGroup();
      const [hidden, open] = [await addProject('private', groupId), await addProject('public', groupId)];
      for (const projectId of [hidden, open]) {
        await join(projectId, guest.id, 10);
        await join(projectId, reporter.id, 20);
        const ofCode = entry({ projectId, authorId: guest.id, tellsOfCode: true, target: titled(`code ${projectId}`) });
        await record(ofCode, entry({ projectId, authorId: guest.id, target: titled(`plain ${projectId}`) }));
      }
      const read = async (feed: Feed, userId: UserId) =>
        titles((await whole(await reader().listAfter(query(feed, userId), undefined, 5))).items).sort();
      const [all, but] = [
        [`code ${hidden}`, `code ${open}`, `plain ${hidden}`, `plain ${open}`].sort(),
        [`code ${open}`, `plain ${hidden}`, `plain ${open}`].sort(),
      ];
      for (const [userId, level, seen] of [
        [reporter.id, 20, all],
        [guest.id, 10, but],
      ] as const) {
        expect(await read({ kind: 'author', authorId: guest.id }, userId)).toEqual(seen);
        expect(await read({ kind: 'memberships' }, userId)).toEqual(seen);
        expect(await read({ kind: 'group', groupId }, userId)).toEqual(seen);
        const ofHidden = await read({ kind: 'project', projectId: hidden, level }, userId);
        expect(ofHidden).toEqual(seen.filter((title) => title.endsWith(` ${hidden}`)));
      }
    });

    it('is that of the project, at the moment of reading', async () => {
      const [grace, alan] = [await parts.addUser('grace'), await parts.addUser('alan')];
      const [hidden, open] = [await addProject(), await addProject('public')];
      await record(
        entry({ projectId: hidden, authorId: alan.id, target: titled('hidden') }),
        entry({ projectId: open, authorId: alan.id, target: titled('open'), createdAt: after(1) }),
      );
      const feed = { kind: 'author', authorId: alan.id } as const;
      const seen = async () => {
        const page = await whole(await reader().listPage(query(feed, grace.id), { page: 1, perPage: 10 }));
        return [titles(page.items), page.total];
      };
      expect(await seen()).toEqual([['open'], 1]);
      await join(hidden, grace.id, 10);
      expect(await seen()).toEqual([['open', 'hidden'], 2]);
      const mine = await whole(
        await reader().listPage(query({ kind: 'memberships' }, grace.id), { page: 1, perPage: 10 }),
      );
      expect([titles(mine.items), mine.total]).toEqual([['hidden'], 1]);
    });

    it('of a confidential issue is for reporters, its author and its assignees, in every list', async () => {
      const people = {
        guest: await parts.addUser('guest'),
        reporter: await parts.addUser('reporter'),
        writer: await parts.addUser('writer'),
        assignee: await parts.addUser('assignee'),
      };
      const groupId = await addGroup();
      const projectId = await addProject('private', await addGroup(groupId));
      for (const [name, { id }] of Object.entries(people)) await join(projectId, id, name === 'reporter' ? 20 : 10);
      const issue = await parts.work(async ({ issues }) => {
        const added = await issues.add({
          projectId,
          kind: 'issue',
          title: 'Secret',
          description: '',
          severity: null,
          confidential: true,
          dueDate: null,
          authorId: people.writer.id,
          createdAt: NOW,
        });
        await issues.setAssignees(added.id, [people.assignee.id]);
        return added;
      });
      const by = await parts.addUser('doer');
      await join(projectId, by.id, 30);
      await record(
        entry({ projectId, authorId: by.id, confidential: true, subjectId: issue.id, target: titled('Secret') }),
        entry({ projectId, authorId: by.id, target: titled('Plain'), createdAt: after(-1) }),
      );
      for (const [name, { id }] of Object.entries(people)) {
        const level = name === 'reporter' ? 20 : 10;
        const expected = name === 'guest' ? ['Plain'] : ['Secret', 'Plain'];
        const feeds: Feed[] = [
          { kind: 'project', projectId, level },
          { kind: 'memberships' },
          { kind: 'group', groupId },
          { kind: 'author', authorId: by.id },
        ];
        for (const [feed, limits] of feeds.flatMap((feed) => WAYS.map((limits) => [feed, limits] as const))) {
          const page = await whole(await reader(limits).listPage(query(feed, id), { page: 1, perPage: 10 }));
          expect([name, feed.kind, limits, titles(page.items), page.total]).toEqual([
            name,
            feed.kind,
            limits,
            expected,
            expected.length,
          ]);
        }
      }
      const guestSees = async () =>
        titles(
          (await whole(await reader().listAfter(query({ kind: 'memberships' }, people.guest.id), undefined, 9))).items,
        );
      await parts.work(({ issues }) => issues.update(issue.id, { confidential: false }, NOW));
      await parts.work(({ activity }) => activity.conceal(projectId, issue.id, false));
      expect(await guestSees()).toEqual(['Secret', 'Plain']);
      await parts.work(({ activity }) => activity.conceal(projectId, issue.id, true));
      expect(await guestSees()).toEqual(['Plain']);
    });

    it('of a group is that of its projects, and of those below it: an administrator sees them all, a visitor the open ones', async () => {
      const [groupId, elsewhere] = [await addGroup(), await addGroup()];
      const below = await addGroup(await addGroup(groupId));
      const member = await parts.addUser('member-of-one');
      const places = [
        ['open', await addProject('public', groupId)],
        ['hidden', await addProject('private', below)],
        ['joined', await addProject('private', below)],
        ['elsewhere', await addProject('public', elsewhere)],
        ['removed', await addProject('public', groupId)],
      ] as const;
      for (const [title, projectId] of places) {
        await record(entry({ projectId, authorId: ada.id, target: titled(title) }));
        const secret = { confidential: true, subjectId: 1_000_000 + projectId };
        await record(entry({ projectId, authorId: ada.id, target: titled(`secret ${title}`), ...secret }));
        if (title === 'joined') await join(projectId, member.id, 20);
        if (title === 'removed') await parts.work(({ projects }) => projects.requestRemoval(projectId, NOW));
      }
      const seenBy = async (viewer: object) => {
        const asked = {
          ...query({ kind: 'group', groupId }, ada.id),
          viewer: { admin: false, today: TODAY, ...viewer },
        };
        const lists = await Promise.all(
          WAYS.map(async (limits) =>
            titles((await whole(await reader(limits).listAfter(asked as never, undefined, 20))).items).sort(),
          ),
        );
        for (const list of lists) expect(list).toEqual(lists[0]);
        return lists[0];
      };
      expect(await seenBy({ userId: null })).toEqual(['open']);
      expect(await seenBy({ userId: member.id })).toEqual(['joined', 'open', 'secret joined']);
      expect(await seenBy({ userId: member.id, admin: true })).toEqual(
        ['hidden', 'joined', 'open', 'secret hidden', 'secret joined', 'secret open'].sort(),
      );
    });

    it('of many formerly visible entries does not empty a page that has more to show', async () => {
      const [writer, viewer] = [await parts.addUser('prolific'), await parts.addUser('onlooker')];
      const [left, kept, open] = [await addProject(), await addProject(), await addProject('public')];
      await join(kept, viewer.id, 30);
      const old = Array.from({ length: 15 }, (_, index) =>
        entry({
          // Some of them in a project that everybody sees.
          projectId: index % 3 === 0 ? open : kept,
          authorId: writer.id,
          target: titled(`kept ${index}`),
          createdAt: after(-9_000 + index),
        }),
      );
      const dense = Array.from({ length: 2_100 }, (_, index) =>
        entry({ projectId: left, authorId: writer.id, target: titled('left'), createdAt: after(index) }),
      );
      await record(...old, ...dense);
      const feed = { kind: 'author', authorId: writer.id } as const;
      // From the viewer's side, and from that of who wrote.
      for (const fewProjects of [2_000, 0]) {
        const either = reader({ fewProjects });
        const page = await whole(await either.listPage(query(feed, viewer.id), { page: 1, perPage: 10 }));
        expect(titles(page.items)).toEqual(Array.from({ length: 10 }, (_, index) => `kept ${14 - index}`));
        expect([page.hasNext, page.total]).toEqual([true, 15]);
      }
    });
  });

  it('lists page like the model of what a viewer sees, by number and by cursor, whatever the filter', async () => {
    const [viewer, writer] = [await parts.addUser('model-viewer'), await parts.addUser('model-writer')];
    const projects: { id: number; member: boolean }[] = [];
    const groupId = await addGroup();
    for (let index = 0; index < 6; index += 1) {
      const id = await addProject('private', index % 2 === 0 ? groupId : await addGroup(groupId));
      projects.push({ id, member: index % 3 !== 0 });
      if (index % 3 !== 0) await join(id, viewer.id, 30);
    }
    const written = Array.from({ length: 120 }, (_, index) => {
      const project = projects[(index * 7) % projects.length];
      return {
        title: `${index}`,
        targetType: index % 5 === 0 ? 'milestone' : 'issue',
        member: project?.member ?? false,
        given: entry({
          projectId: (project?.id ?? 0) as ProjectId,
          authorId: writer.id,
          action: index % 4 === 0 ? 'closed' : 'created',
          target: { type: index % 5 === 0 ? 'milestone' : 'issue', id: index, iid: index, title: `${index}` },
          // Several at one instant: the id decides.
          createdAt: after(Math.floor(index / 3)),
        }),
      };
    });
    await record(...written.map(({ given }) => given));
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          feed: fc.constantFrom<Feed>(
            { kind: 'memberships' },
            { kind: 'group', groupId },
            { kind: 'author', authorId: writer.id },
          ),
          action: fc.option(fc.constantFrom('closed' as const, 'created' as const), { nil: undefined }),
          targetType: fc.option(fc.constantFrom('issue' as const, 'milestone' as const), { nil: undefined }),
          until: fc.option(fc.integer({ min: 0, max: 45 }), { nil: undefined }),
          sort: fc.constantFrom('asc' as const, 'desc' as const),
          limits: fc.constantFrom(...WAYS),
          perPage: fc.integer({ min: 1, max: 30 }),
        }),
        async ({ feed, action, targetType, until, sort, limits, perPage }) => {
          const model = written
            .filter(
              ({ member, given, targetType: type }) =>
                member &&
                (action === undefined || given.action === action) &&
                (targetType === undefined || type === targetType) &&
                (until === undefined || given.createdAt < after(until)),
            )
            .map(({ title }) => title);
          const expected = sort === 'asc' ? model : model.reverse();
          const filter = {
            ...(action === undefined ? {} : { action }),
            ...(targetType === undefined ? {} : { targetType }),
            ...(until === undefined ? {} : { until: after(until) }),
          };
          const asked = query(feed, viewer.id, filter, sort);
          const byCursor: (string | null | undefined)[] = [];
          for (let place: Position | undefined; ;) {
            const { items, hasNext } = await whole(await reader(limits).listAfter(asked, place, perPage));
            byCursor.push(...titles(items));
            place = items.at(-1);
            if (!hasNext || place === undefined) break;
          }
          expect(byCursor).toEqual(expected);
          const byNumber: (string | null | undefined)[] = [];
          for (let page = 1; ; page += 1) {
            const { items, hasNext, total } = await whole(await reader(limits).listPage(asked, { page, perPage }));
            expect(total).toBe(expected.length);
            byNumber.push(...titles(items));
            if (!hasNext) break;
          }
          expect(byNumber).toEqual(expected);
        },
      ),
      { numRuns: 120 },
    );
  });

  describe('a total', () => {
    const LIMIT = 10_000;
    const insertEvents = insertInto('activity_events', ['feed', 'author_id', 'action', 'target_type', 'created_at']);
    const fill = (projectId: ProjectId, count: number) =>
      parts.database.transact((session) =>
        insertEvents(
          session,
          Array.from({ length: count }, () => [projectId * 2, ada.id, 1, 1, session.dialect.writeInstant(NOW)]),
        ),
      );
    const page = { page: 1, perPage: 5 };

    it('ends at the limit of counting, and is told again soon after the list does', async () => {
      const projectId = await addProject();
      const list = query({ kind: 'project', projectId, level: 50 }, ada.id);
      const [patient, forgetful] = [reader(), reader({ rememberedMs: 1 })];
      await fill(projectId, LIMIT);
      for (const each of [patient, forgetful]) expect((await whole(await each.listPage(list, page))).total).toBe(LIMIT);
      await fill(projectId, 1);
      for (const each of [patient, forgetful])
        expect(await whole(await each.listPage(list, page))).not.toHaveProperty('total');
      await parts.work(({ activity }) => activity.removeOfProject(projectId, 2));
      await sleep(5);
      expect((await whole(await forgetful.listPage(list, page))).total).toBe(LIMIT - 1);
    });

    it('of a list beyond the limit is not counted again for a while, and one of fewer projects is at once', async () => {
      const viewer = await parts.addUser('counting');
      const [small, large] = [await addProject(), await addProject()];
      for (const projectId of [small, large]) await join(projectId, viewer.id, 30);
      await fill(small, 3);
      await fill(large, LIMIT + 1);
      let counts = 0;
      const { reader: session, schema } = parts.database;
      const counting = Session.on(schema, session.dialect, (sql, bindings) => {
        counts += Number(sql.startsWith('select count(*)'));
        return session.run(sql, bindings);
      });
      const patient = new KnexActivityReader(counting);
      const total = async () =>
        (await whole(await patient.listPage(query({ kind: 'memberships' }, viewer.id), page))).total;
      expect([await total(), await total(), counts]).toEqual([undefined, undefined, 1]);
      await parts.work(({ projectMembers }) => projectMembers.remove(large, viewer.id));
      expect(await total()).toBe(3);
    });
  });

  describe('removal', () => {
    it('takes the oldest first, so many at once, and nothing younger', async () => {
      const projectId = await addProject();
      const old = [1, 2, 3].map((days) =>
        entry({
          projectId,
          authorId: ada.id,
          createdAt: new Date(LONG_AGO.getTime() + days),
          target: titled(`${days}`),
        }),
      );
      await record(...old, entry({ projectId, authorId: ada.id, target: titled('young') }));
      const remove = (limit: number, from?: Date) =>
        parts.work(({ activity }) => activity.removeOlderThan(new Date('2001-01-01T00:00:00.000Z'), limit, from));
      expect(await remove(2)).toEqual({ count: 2, reached: new Date(LONG_AGO.getTime() + 2) });
      const feed = { kind: 'project', projectId, level: 50 } as const;
      const left = async () => titles((await whole(await reader().listAfter(query(feed, ada.id), undefined, 9))).items);
      expect(await left()).toEqual(['young', '3']);
      expect(await remove(2, new Date(LONG_AGO.getTime() + 4))).toEqual({ count: 0 });
      const youngest = new Date(LONG_AGO.getTime() + 3);
      expect(await remove(2, youngest)).toEqual({ count: 1, reached: youngest });
      expect(await remove(2)).toEqual({ count: 0 });
      expect(await parts.work(({ activity }) => activity.removeOfProject(projectId, 5))).toBe(1);
      expect(await left()).toEqual([]);
    });
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Audience } from '../../src/application/notifications/ports/audience-ports.js';
import type { CauseRepository, NewCause } from '../../src/application/notifications/ports/cause-ports.js';
import { KnexNotificationSettingReader } from '../../src/adapters/outbound/persistence/knex/notifications/knex-notification-setting-reader.js';
import { KnexSubscriptionReader } from '../../src/adapters/outbound/persistence/knex/collaboration/knex-subscriptions.js';
import { after, ContractParts, NOW } from '../support/contract-parts.js';
import { describeEachDatabase } from '../support/databases.js';
import type { GroupId, ProjectId, UserId } from '../../src/domain/shared/identifiers.js';

const TODAY = '2026-03-01';
const LATER = after(3_600);
const PARTICIPATING = { level: 'participating', events: {} } as const;
const EVERYBODY = { after: 0, limit: 100 };

describeEachDatabase('the ports of notifications', (openTestDatabase) => {
  let parts: ContractParts;
  let ada: UserId;
  let grace: UserId;
  let hedy: UserId;
  let top: GroupId;
  let nested: GroupId;
  let projectId: ProjectId;
  let issueId: number;

  beforeAll(async () => {
    parts = new ContractParts(await openTestDatabase());
    [ada, grace, hedy] = [
      (await parts.addUser('ada')).id,
      (await parts.addUser('grace')).id,
      (await parts.addUser('hedy')).id,
    ];
    top = await parts.addGroup(null, { path: 'top', visibility: 'public' });
    nested = await parts.addGroup(top, { path: 'nested', visibility: 'public' });
    projectId = await parts.addProject({ id: ada, namespaceId: nested }, { path: 'engine', defaultBranch: null });
    issueId = await addIssue('Ask @hedy');
  });

  afterAll(() => parts.close());

  const addIssue = (description: string, dueDate: string | null = null) =>
    parts.work(async ({ issues }) => {
      const issue = await issues.add({
        projectId,
        kind: 'issue',
        title: 'Cogs jam',
        description,
        severity: null,
        confidential: false,
        dueDate,
        authorId: ada,
        createdAt: NOW,
      });
      return issue.id;
    });
  const addCause = (fields: Partial<NewCause> = {}) =>
    parts.work(async ({ causes }) => {
      const cause = { kind: 'new_issue', projectId, subjectId: issueId, actorId: ada, details: {}, at: NOW } as const;
      const [id] = await causes.add([{ ...cause, ...fields, expiresAt: LATER }]);
      return id!;
    });

  describe('NotificationSettingRepository', () => {
    const places = () =>
      [{ kind: 'global' }, { kind: 'group', id: nested }, { kind: 'project', id: projectId }] as const;

    it('gives what was saved, else what it is given, and keeps each place apart', async () => {
      const reader = new KnexNotificationSettingReader(parts.database.reader);
      for (const [index, place] of places().entries()) {
        expect(await reader.find(ada, place)).toBeUndefined();
        const taken = await parts.work(({ notificationSettings }) =>
          notificationSettings.take(ada, place, PARTICIPATING, NOW),
        );
        expect(taken).toEqual(PARTICIPATING);
        const setting = { level: 'custom', events: { new_note: index % 2 === 0 } } as const;
        await parts.work(({ notificationSettings }) => notificationSettings.save(ada, place, setting, NOW));
        expect(await reader.find(ada, place)).toEqual(setting);
        expect(await reader.find(grace, place)).toBeUndefined();
      }
      const listed = await reader.listPlaces(ada, { page: 1, perPage: 10 });
      expect(listed.items.map(({ kind, fullPath }) => [kind, fullPath])).toEqual([
        ['group', 'top/nested'],
        ['project', 'top/nested/engine'],
      ]);
    });

    it('lets works that change one setting wait for each other', async () => {
      const place = { kind: 'group', id: top } as const;
      const events = ['new_note', 'new_issue', 'close_issue', 'reopen_issue', 'issue_due'] as const;
      await Promise.all(
        events.map((event) =>
          parts.work(async ({ notificationSettings }) => {
            const before = await notificationSettings.take(grace, place, PARTICIPATING, NOW);
            await notificationSettings.save(
              grace,
              place,
              { ...before, events: { ...before.events, [event]: true } },
              NOW,
            );
          }),
        ),
      );
      const reader = new KnexNotificationSettingReader(parts.database.reader);
      expect(Object.keys((await reader.find(grace, place))?.events ?? {}).sort()).toEqual([...events].sort());
    });

    it('reads the settings of a lineage from the nearest group to the topmost', async () => {
      for (const id of [top, nested]) {
        await parts.work(({ notificationSettings }) =>
          notificationSettings.take(hedy, { kind: 'group', id }, { level: 'mention', events: {} }, NOW),
        );
      }
      const reader = new KnexNotificationSettingReader(parts.database.reader);
      expect((await reader.groupSettings(hedy, nested)).map(({ groupId }) => groupId)).toEqual([nested, top]);
      expect((await reader.groupSettings(hedy, top)).map(({ groupId }) => groupId)).toEqual([top]);
    });
  });

  it('SubscriptionRepository keeps what was said last', async () => {
    const reader = new KnexSubscriptionReader(parts.database.reader);
    expect(await reader.find(issueId, grace)).toBeUndefined();
    for (const subscribed of [true, true, false]) {
      await parts.work(({ subscriptions }) => subscriptions.save(issueId, grace, subscribed, NOW));
      expect(await reader.find(issueId, grace)).toBe(subscribed);
    }
    const note = { subjectId: issueId, authorId: ada, body: 'And @hedy', system: false, createdAt: NOW };
    const { id } = await parts.work(({ notes }) => notes.add(note));
    expect(await reader.commentsNaming(issueId, 'HEDY', 10)).toEqual(['And @hedy']);
    expect(await reader.commentsNaming(issueId, 'h_dy', 10)).toEqual([]);
    await parts.work(({ notes }) => notes.remove(id));
  });

  describe('Audience', () => {
    const read = async (causes: CauseRepository, audience: Audience, causeId: number) => {
      const [cause] = await causes.findAll([causeId]);
      const topic = (await audience.topicsOf([cause!])).get(causeId);
      return { cause: cause!, topic: topic! };
    };
    const candidatesOf = (causeId: number, slice = EVERYBODY, also: readonly UserId[] = []) =>
      parts.work(async ({ causes, audience }) => {
        const { cause, topic } = await read(causes, audience, causeId);
        return audience.candidates(cause, topic, also, TODAY, slice);
      });

    it('finds who takes part, subscribed, watches or belongs to it, each once and in slices', async () => {
      const watcher = (await parts.addUser('watcher')).id;
      const ended = (await parts.addUser('ended')).id;
      await parts.work(async ({ groupMembers, notificationSettings, issues, notes }) => {
        await groupMembers.add(top, { userId: watcher, accessLevel: 20, expiresAt: null, createdAt: NOW });
        await groupMembers.add(top, { userId: ended, accessLevel: 50, expiresAt: TODAY, createdAt: NOW });
        for (const id of [watcher, ended])
          await notificationSettings.take(id, { kind: 'global' }, { level: 'watch', events: {} }, NOW);
        await issues.setAssignees(issueId, [grace, ada]);
        await notes.add({ subjectId: issueId, authorId: ada, body: 'x', system: false, createdAt: NOW });
      });
      const causeId = await addCause({ kind: 'close_issue' });
      expect(await candidatesOf(causeId, EVERYBODY, [hedy])).toEqual([ada, grace, hedy, watcher]);
      expect(await candidatesOf(causeId, { after: ada, limit: 1 })).toEqual([grace]);
      const people = await parts.work(async ({ causes, audience }) => {
        const { cause, topic } = await read(causes, audience, causeId);
        return audience.people(cause, topic, [ada, watcher, ended], TODAY);
      });
      expect(people).toMatchObject([
        { id: ada, level: 0, commented: true, address: 'ada@example.com' },
        { id: watcher, level: 20, commented: false, settings: { global: { level: 'watch' }, groups: [] } },
        { id: ended, level: 0 },
      ]);
    });

    it('finds of a text that was changed those alone whom it names since then', async () => {
      await parts.work(({ issues }) => issues.setAssignees(issueId, [grace]));
      const causeId = await addCause({ kind: 'new_mention', details: { mentioned: ['hedy'] } });
      expect(await candidatesOf(causeId, EVERYBODY, [hedy])).toEqual([hedy]);
      expect((await parts.work(({ causes }) => causes.findAll([causeId])))[0]?.details).toEqual({
        mentioned: ['hedy'],
      });
    });

    it('finds of labels that something got those alone who subscribed to one of them, and their names', async () => {
      const [one, other] = await parts.work(async ({ labels, labelSubscriptions }) => {
        const label = { color: '#d9534f', description: '', priority: null };
        const made = [
          await labels.add(projectId, { name: 'leak', ...label }, NOW),
          await labels.add(projectId, { name: 'bug', ...label }, NOW),
          await labels.add(projectId, { name: 'wish', ...label }, NOW),
        ] as const;
        await labelSubscriptions.add(made[0].id, grace, NOW);
        await labelSubscriptions.add(made[1].id, grace, NOW);
        await labelSubscriptions.add(made[2].id, hedy, NOW);
        return made;
      });
      const causeId = await addCause({ kind: 'label_issue', details: { labels: [one.id, other.id] } });
      expect(await candidatesOf(causeId)).toEqual([grace]);
      const opened = await addCause({ kind: 'new_issue', details: { labels: [one.id] } });
      expect(await candidatesOf(opened)).toContain(grace);
      const found = await parts.work(async ({ causes, audience }) => {
        const { cause, topic } = await read(causes, audience, causeId);
        return { topic, people: await audience.people(cause, topic, [grace, hedy], TODAY) };
      });
      expect(found.topic.labels).toEqual(['bug', 'leak']);
      expect(found.people).toMatchObject([
        { id: grace, subscribedToLabel: true },
        { id: hedy, subscribedToLabel: false },
      ]);
    });

    it('has no topic once the project is being removed', async () => {
      const causeId = await addCause();
      const gone = parts.work(async ({ causes, audience, projects }) => {
        await projects.requestRemoval(projectId, NOW);
        const topics = await audience.topicsOf(await causes.findAll([causeId]));
        expect(topics.size).toBe(0);
        throw new Error('roll back');
      });
      await expect(gone).rejects.toThrow('roll back');
    });
  });

  describe('MailOutbox', () => {
    it('adds one mail a person and cause, and leases each to one of many who ask', async () => {
      const causeId = await addCause();
      const mails = [ada, grace, hedy].map((userId) => ({
        causeId,
        userId,
        reason: 'watching' as const,
        expiresAt: LATER,
      }));
      const add = () => parts.work(({ mailOutbox }) => mailOutbox.addNotifications(mails, NOW));
      await Promise.all([add(), add(), add()]);
      const lease = (now: Date, until: Date) => parts.work(({ mailOutbox }) => mailOutbox.lease(now, until, 2));
      const leased = await Promise.all([1, 2, 3, 4].map(() => lease(NOW, after(60))));
      const ids = leased.flat().map(({ id }) => id);
      expect([ids.length, new Set(ids).size]).toEqual([3, 3]);
      expect(await lease(after(59), after(120))).toEqual([]);
      const [again] = await lease(after(61), after(120));
      expect(again).toMatchObject({ attempts: 1, template: 'notification', causeId });
    });

    it('tries later what is postponed, and nothing that has ended; links are forgotten', async () => {
      await parts.work(({ mailQueue }) =>
        mailQueue.enqueue({
          recipient: 'ada@example.com',
          template: 'reset_password',
          content: { link: 'https://x' },
          createdAt: after(-10),
          expiresAt: LATER,
        }),
      );
      const lease = (now: Date) => parts.work(({ mailOutbox }) => mailOutbox.lease(now, after(86_400), 1));
      const [mail] = await lease(after(-5));
      expect(mail).toMatchObject({ recipient: 'ada@example.com', content: { link: 'https://x' }, attempts: 0 });
      await parts.work(({ mailOutbox }) => mailOutbox.postpone(mail!.id, after(-3), 'busy'));
      expect((await lease(after(-2))).map(({ id, attempts }) => [id, attempts])).toEqual([[mail!.id, 1]]);
      await parts.work(({ mailOutbox }) => mailOutbox.finish(mail!.id, 'sent', null));
      await parts.work(({ mailOutbox }) => mailOutbox.postpone(mail!.id, after(-3), 'late'));
      expect(await lease(after(-2))).toEqual([]);
      expect(await parts.database.reader.query('queued_mails').where({ id: mail!.id })).toEqual([]);
    });
  });

  it('DueIssueRepository reminds of each due date once, whoever asks', async () => {
    const id = await addIssue('', '2026-03-02');
    const due = (from: string, to: string) => parts.work(({ dueIssues }) => dueIssues.unreminded(from, to, 10));
    expect(await due('2026-03-03', '2026-03-09')).toEqual([]);
    const [issue] = await due('2026-03-01', '2026-03-02');
    expect(issue).toEqual({ id, projectId, dueDate: '2026-03-02' });
    const remind = () => parts.work(({ dueIssues }) => dueIssues.remind(issue!, NOW));
    expect((await Promise.all([remind(), remind(), remind()])).filter(Boolean)).toHaveLength(1);
    expect(await due('2026-03-01', '2026-03-02')).toEqual([]);
  });
});

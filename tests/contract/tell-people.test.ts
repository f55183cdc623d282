import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { TellPeople } from '../../src/application/notifications/tell-people.js';
import type { NewCause } from '../../src/application/notifications/ports/cause-ports.js';
import type { ProjectId, UserId } from '../../src/domain/shared/identifiers.js';
import { after, ContractParts, NOW } from '../support/contract-parts.js';
import { describeEachDatabase } from '../support/databases.js';

const WATCHERS = 150;
const tellPeople = new TellPeople({ now: () => NOW });

describeEachDatabase('to tell people', (openTestDatabase) => {
  let parts: ContractParts;
  let ada: UserId;
  let grace: UserId;
  let hedy: UserId;
  let projectId: ProjectId;
  let otherProjectId: ProjectId;
  let crowdedProjectId: ProjectId;
  let causeIds: readonly number[];

  beforeAll(async () => {
    parts = new ContractParts(await openTestDatabase());
    const owner = await parts.addUser('ada');
    ada = owner.id;
    grace = (await parts.addUser('grace')).id;
    hedy = (await parts.addUser('hedy')).id;
    const addProject = (path: string) =>
      parts.work(({ projects }) =>
        projects.add({
          ...{ namespaceId: owner.namespaceId, name: path, path, description: null, visibility: 'private' },
          ...{ defaultBranch: null, mergeWhenPipelineSucceeds: false, creatorId: ada, createdAt: NOW },
        }),
      );
    projectId = await addProject('engine');
    otherProjectId = await addProject('mill');
    crowdedProjectId = await addProject('theatre');
    causeIds = await addVariousCauses();
    await addWatchers();
  });

  afterAll(() => parts.close());

  const addIssue = (of: ProjectId, description: string) =>
    parts.work(async ({ issues }) => {
      const issue = await issues.add({
        ...{ projectId: of, kind: 'issue', title: 'Cogs jam', description, severity: null, confidential: false },
        ...{ dueDate: null, authorId: ada, createdAt: NOW },
      });
      return issue.id;
    });
  const addCauses = (causes: readonly Omit<NewCause, 'at'>[]) =>
    parts.work((repositories) =>
      repositories.causes.add(causes.map((cause) => ({ ...cause, at: NOW, expiresAt: after(3_600) }))),
    );

  /** Of several kinds, projects and subjects, about which somebody is named, assigned, has subscribed, commented, or watches. */
  const addVariousCauses = async (): Promise<readonly number[]> => {
    const [first, second, elsewhere] = [
      await addIssue(projectId, 'Ask @hedy'),
      await addIssue(projectId, 'Nobody'),
      await addIssue(otherProjectId, 'Ask @grace'),
    ];
    const { noteId, labelId } = await parts.work(async (repositories) => {
      const { projectMembers, notificationSettings, issues, notes, subscriptions, labels, labelSubscriptions } =
        repositories;
      for (const userId of [grace, hedy])
        await projectMembers.add(projectId, { userId, accessLevel: 30, expiresAt: null, createdAt: NOW });
      await notificationSettings.take(grace, { kind: 'project', id: projectId }, { level: 'watch', events: {} }, NOW);
      await issues.setAssignees(second, [hedy]);
      await subscriptions.save(first, grace, true, NOW);
      const label = await labels.add(
        projectId,
        { name: 'leak', color: '#d9534f', description: '', priority: null },
        NOW,
      );
      await labelSubscriptions.add(label.id, hedy, NOW);
      const note = { subjectId: second, authorId: grace, body: 'So @ada, what now?', system: false, createdAt: NOW };
      return { noteId: (await notes.add(note)).id, labelId: label.id };
    });
    return addCauses([
      { kind: 'new_issue', projectId, subjectId: first, actorId: ada, details: {} },
      { kind: 'new_issue', projectId, subjectId: second, actorId: grace, details: { labels: [labelId] } },
      { kind: 'new_issue', projectId: otherProjectId, subjectId: elsewhere, actorId: ada, details: {} },
      { kind: 'new_note', projectId, subjectId: second, noteId, actorId: grace, details: {} },
      { kind: 'close_issue', projectId, subjectId: second, actorId: ada, details: {} },
      { kind: 'reassign_issue', projectId, subjectId: first, actorId: ada, details: { added: [hedy] } },
      { kind: 'label_issue', projectId, subjectId: first, actorId: ada, details: { labels: [labelId] } },
      { kind: 'new_mention', projectId, subjectId: first, actorId: ada, details: { mentioned: ['hedy'] } },
      { kind: 'moved_project', projectId, actorId: ada, details: {} },
      { kind: 'issue_due', projectId, subjectId: second, details: {} },
    ]);
  };

  const addWatchers = async (): Promise<void> => {
    for (let number = 0; number < WATCHERS; number += 1) {
      const { id: userId } = await parts.addUser(`watcher-${number}`);
      await parts.work(async ({ projectMembers, notificationSettings }) => {
        await projectMembers.add(crowdedProjectId, { userId, accessLevel: 30, expiresAt: null, createdAt: NOW });
        await notificationSettings.take(userId, { kind: 'global' }, { level: 'watch', events: {} }, NOW);
      });
    }
  };

  const steps = (ids: readonly number[]) => parts.work((repositories) => tellPeople.steps(repositories, ids));

  /** The mails and to-dos that are there, which are taken away. */
  const takeTold = async () => {
    const { query } = parts.database.reader;
    const mails = await query('queued_mails').orderBy(['cause_id', 'user_id']).select('cause_id', 'user_id', 'reason');
    const todos = await query('todos')
      .orderBy(['user_id', 'subject_id', 'action'])
      .select('user_id', 'action', 'note_id');
    await parts.database.transact(async ({ query: change }) => {
      await change('queued_mails').delete();
      await change('todos').delete();
    });
    return { mails, todos };
  };

  it('of several causes at once tells whom each alone would have told', async () => {
    expect(await steps(causeIds)).toEqual(causeIds.map(() => 'done'));
    const together = await takeTold();
    for (const id of causeIds) expect(await steps([id])).toEqual(['done']);
    expect(await takeTold()).toEqual(together);
    expect(new Set(together.mails.map(({ cause_id: of }) => of)).size).toBeGreaterThanOrEqual(6);
    expect(together.todos.length).toBeGreaterThanOrEqual(3);
  });

  it('goes through two hundred people at most in one step, and through everybody in the end', async () => {
    const ids = await addCauses(
      [1, 2, 3].map(() => ({ kind: 'moved_project', projectId: crowdedProjectId, actorId: ada, details: {} })),
    );
    expect(await steps(ids)).toEqual(['done', 'more', 'more']);
    expect(await steps(ids.slice(1))).toEqual(['done', 'more']);
    expect(await steps(ids.slice(2))).toEqual(['done']);
    const told = await parts.database.reader
      .query('queued_mails')
      .whereIn('cause_id', [...ids])
      .select('cause_id');
    expect(ids.map((id) => told.filter(({ cause_id: of }) => of === id).length)).toEqual([
      WATCHERS,
      WATCHERS,
      WATCHERS,
    ]);
  });

  it('has done what is about something that is gone', async () => {
    expect(await steps([999_999])).toEqual(['done']);
  });
});

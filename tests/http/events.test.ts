import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { WORKSPACE_TOKENS } from '../../src/infrastructure/composition/workspace.tokens.js';
import { BusyProject, type EventBody } from '../support/activity.js';
import { AlertingProject, sendAlert } from '../support/alerting.js';
import { describeEachDatabase } from '../support/databases.js';
import { describeEachDeployment, type Deployment } from '../support/deployments.js';
import { TestService, type TestUser } from '../support/test-service.js';
import { until } from '../support/until.js';

const DAY_MS = 86_400_000;
const EXACT_INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const personOf = ({ id, username }: TestUser, service: TestService) => ({
  id,
  username,
  name: `${username} Example`,
  state: 'active',
  avatar_url: null,
  web_url: `${service.url}/${username}`,
});

describeEachDeployment('an activity event', (deploy) => {
  let deployment: Deployment;
  let service: TestService;
  let ada: TestUser;
  let grace: TestUser;
  let project: BusyProject;
  let serial = 0;

  beforeAll(async () => {
    deployment = await deploy();
    service = deployment.service;
    ada = await service.addUser('ada');
    grace = await service.addUser('grace');
    project = await addProject();
    await project.addMember(grace, 'developer');
  });

  afterAll(() => deployment.close());

  const addProject = () => BusyProject.create(service, ada, `engine-${(serial += 1)}`, 'public');

  /** What all three lists say of the entries of one person in one project; they must say the same. */
  const told = async (author: TestUser, { id }: { id: number }, filter = ''): Promise<EventBody[]> => {
    const lists = ['/events?', `/users/${author.username}/events?`, `/projects/${id}/events?`].map(async (path) => {
      const token = path.startsWith('/events') ? author.token : ada.token;
      const { status, body } = await service.call<EventBody[]>('GET', `${path}per_page=100&${filter}`, { token });
      expect([path, status]).toEqual([path, 200]);
      return body.filter((event) => event.project_id === id && event.author_id === author.id);
    });
    const [mine, ofUser, ofProject] = await Promise.all(lists);
    expect(ofUser).toEqual(mine);
    expect(ofProject).toEqual(mine);
    return mine ?? [];
  };

  /** Every field of an entry that is neither a push nor a comment. */
  const entry = (author: TestUser, fields: object) => ({
    id: expect.any(Number),
    title: null,
    project_id: project.id,
    author_id: author.id,
    author: personOf(author, { url: service.url } as TestService),
    author_username: author.username,
    created_at: expect.stringMatching(EXACT_INSTANT),
    data: null,
    ...fields,
  });

  it('tells of a project that was created, with no title and the project for a target', async () => {
    const made = await addProject();
    expect(await told(ada, made)).toEqual([
      entry(ada, {
        project_id: made.id,
        action_name: 'created',
        target_id: made.id,
        target_iid: made.id,
        target_type: 'Project',
        target_title: null,
      }),
    ]);
  });

  it('tells of members who joined and left, as what they did themselves', async () => {
    const linus = await service.addUser(`linus-${(serial += 1)}`);
    await project.addMember(linus, 'reporter');
    await project.call('DELETE', `/members/${linus.id}`);
    const target = { target_id: project.id, target_iid: project.id, target_type: 'Project', target_title: null };
    const events = await told(linus, project);
    expect(events).toHaveLength(2);
    expect(events).toEqual(
      expect.arrayContaining([
        entry(linus, { ...target, action_name: 'left' }),
        entry(linus, { ...target, action_name: 'joined' }),
      ]),
    );
  });

  it.each([
    ['opened', 'created', []],
    ['closed', 'closed', ['close']],
    ['opened', 'reopened', ['close', 'reopen']],
  ])('says "%s" of an issue that was %s', async (phrase, action, changes) => {
    const title = `Leak ${(serial += 1)}`;
    const { id, iid } = (await project.call('POST', '/issues', { title }, grace)).body;
    for (const state_event of changes) await project.call('PUT', `/issues/${iid}`, { state_event }, grace);
    const events = await told(grace, project, `action=${action}&target_type=issue`);
    expect(events.filter(({ target_id }) => target_id === id)).toEqual([
      entry(grace, {
        action_name: phrase,
        target_id: id,
        target_iid: iid,
        target_type: 'Issue',
        target_title: title,
      }),
    ]);
  });

  it.each([
    ['opened', 'created', []],
    ['closed', 'closed', ['close']],
    ['opened', 'reopened', ['close', 'activate']],
  ])('says "%s" of a milestone that was %s', async (phrase, action, changes) => {
    const title = `Version ${(serial += 1)}`;
    const { id, iid } = (await project.call('POST', '/milestones', { title }, grace)).body;
    for (const state_event of changes) await project.call('PUT', `/milestones/${id}`, { state_event }, grace);
    const events = await told(grace, project, `action=${action}&target_type=milestone`);
    expect(events.filter(({ target_id }) => target_id === id)).toEqual([
      entry(grace, {
        action_name: phrase,
        target_id: id,
        target_iid: iid,
        target_type: 'Milestone',
        target_title: title,
      }),
    ]);
  });

  it('has the comment of which it tells, and the title of what was commented on', async () => {
    const title = `Leak ${(serial += 1)}`;
    const issue = (await project.call('POST', '/issues', { title })).body;
    const note = (await project.call('POST', `/issues/${issue.iid}/notes`, { body: 'I saw *it* too' }, grace)).body;
    const [event] = (await told(grace, project, 'action=commented')).filter(({ target_id }) => target_id === note.id);
    expect(event).toEqual(
      entry(grace, {
        action_name: 'commented on',
        target_id: note.id,
        target_iid: note.id,
        target_type: 'Note',
        target_title: title,
        note: {
          id: note.id,
          body: 'I saw *it* too',
          attachment: null,
          author: personOf(grace, service),
          created_at: event?.created_at,
          system: false,
          noteable_id: issue.id,
          noteable_type: 'Issue',
          noteable_iid: issue.iid,
        },
      }),
    );
  });

  it('of a comment shows it as it is now, and goes with it', async () => {
    const issue = (await project.call('POST', '/issues', { title: 'Discussed' })).body;
    const path = `/issues/${issue.iid}/notes`;
    const note = (await project.call('POST', path, { body: 'before' }, grace)).body;
    const seen = async () =>
      (await told(grace, project, 'action=commented'))
        .filter(({ target_id }) => target_id === note.id)
        .map((event) => event.note?.body);
    await project.call('PUT', `${path}/${note.id}`, { body: 'after' }, grace);
    expect(await seen()).toEqual(['after']);
    expect((await project.call('DELETE', `${path}/${note.id}`, undefined, grace)).status).toBe(204);
    expect(await seen()).toEqual([]);
  });

  it('keeps its comment, title and number when the issue is destroyed, and the destruction is told', async () => {
    const { id, iid } = (await project.call('POST', '/issues', { title: 'Doomed' }, grace)).body;
    const note = (await project.call('POST', `/issues/${iid}/notes`, { body: 'last words' }, grace)).body;
    expect((await project.call('DELETE', `/issues/${iid}`)).status).toBe(204);
    const kept = await told(grace, project);
    expect(kept.find(({ target_id, target_type }) => target_id === note.id && target_type === 'Note')).toMatchObject({
      action_name: 'commented on',
      target_title: 'Doomed',
      note: { body: 'last words', noteable_id: id, noteable_iid: iid },
    });
    expect(kept.find(({ target_id, target_type }) => target_id === id && target_type === 'Issue')).toMatchObject({
      action_name: 'opened',
      target_iid: iid,
      target_title: 'Doomed',
    });
    expect(await told(ada, project, 'action=destroyed&target_type=issue')).toEqual([
      entry(ada, {
        action_name: 'destroyed',
        target_id: id,
        target_iid: iid,
        target_type: 'Issue',
        target_title: 'Doomed',
      }),
    ]);
  });

  it('is kept when the milestone is destroyed, and the destruction is told', async () => {
    const { id, iid } = (await project.call('POST', '/milestones', { title: 'Never' }, grace)).body;
    await project.call('DELETE', `/milestones/${id}`);
    const target = { target_id: id, target_iid: iid, target_type: 'Milestone', target_title: 'Never' };
    expect(await told(ada, project, 'action=destroyed&target_type=milestone')).toEqual([
      entry(ada, { ...target, action_name: 'destroyed' }),
    ]);
    expect(await told(grace, project, 'target_type=milestone')).toContainEqual(
      entry(grace, { ...target, action_name: 'opened' }),
    );
  });

  it('keeps the title that its target had when it happened', async () => {
    const { id, iid } = (await project.call('POST', '/issues', { title: 'First words' }, grace)).body;
    await project.call('PUT', `/issues/${iid}`, { title: 'Second words', state_event: 'close' }, grace);
    const titles = (await told(grace, project, 'target_type=issue'))
      .filter(({ target_id }) => target_id === id)
      .map(({ action_name, target_title }) => [action_name, target_title]);
    expect(new Map(titles as [string, string][])).toEqual(
      new Map([
        ['opened', 'First words'],
        ['closed', 'Second words'],
      ]),
    );
  });

  it('tells of an incident by the bot that opened and closed it', async () => {
    const watched = await addProject();
    const alerting = AlertingProject.of(service, ada, watched.id);
    const integration = await alerting.integrate('generic', { create_issue: true });
    await sendAlert(integration, { title: 'Disk full', fingerprint: 'disk' });
    const [alert] = await alerting.alerts();
    expect(alert?.issue_iid).toBe(1);
    await sendAlert(integration, { title: 'Disk full', fingerprint: 'disk', end_time: '2099-01-01T00:00:00Z' });
    for (const path of ['/events?scope=all', '/users/alert-bot/events?', `/projects/${watched.id}/events?`]) {
      const { body } = await service.call<EventBody[]>('GET', `${path}&per_page=100`, { token: ada.token });
      const ofBot = body.filter((event) => event.author_username === 'alert-bot' && event.project_id === watched.id);
      expect([path, new Set(ofBot.map(({ action_name }) => action_name))]).toEqual([
        path,
        new Set(['opened', 'closed']),
      ]);
      for (const each of ofBot)
        expect(each).toMatchObject({ target_type: 'Issue', target_iid: 1, target_title: 'Disk full' });
    }
  });

  it.each([
    ['pushed', 'pushed', { commitFrom: 'a'.repeat(40), commitTo: 'b'.repeat(40) }],
    ['created', 'pushed new', { commitFrom: null, commitTo: 'b'.repeat(40) }],
    ['removed', 'deleted', { commitFrom: 'a'.repeat(40), commitTo: null, commitCount: 0, commitTitle: null }],
  ] as const)('of a push that %s a ref says "%s", and is about no target', async (action, phrase, fields) => {
    const pushed = await addProject();
    const push = { commitCount: 2, action, refType: 'branch', ref: 'main', commitTitle: 'Turn it', ...fields } as const;
    await pushed.record({ action: 'pushed', target: null, push });
    expect(await told(ada, pushed, 'action=pushed')).toEqual([
      entry(ada, {
        project_id: pushed.id,
        action_name: phrase,
        target_id: null,
        target_iid: null,
        target_type: null,
        target_title: null,
        push_data: {
          commit_count: push.commitCount,
          action,
          ref_type: 'branch',
          commit_from: push.commitFrom ?? '0'.repeat(40),
          commit_to: push.commitTo ?? '0'.repeat(40),
          ref: 'main',
          commit_title: push.commitTitle ?? '',
        },
      }),
    ]);
  });

  it.each([
    ['approved', 'merge_request', 'approved', 'MergeRequest'],
    ['merged', 'merge_request', 'accepted', 'MergeRequest'],
    ['updated', 'snippet', 'updated', 'Snippet'],
    ['joined', 'user', 'joined', 'User'],
    ['expired', 'project', 'removed due to membership expiration from', 'Project'],
  ] as const)('that was %s on a %s says "%s" of a %s', async (action, type, phrase, typeName) => {
    const place = await addProject();
    await place.record({ action, target: { type, id: 9, iid: 4, title: 'Nine' } });
    expect(await told(ada, place, `action=${action}&target_type=${type}`)).toEqual([
      entry(ada, {
        project_id: place.id,
        action_name: phrase,
        target_id: 9,
        target_iid: 4,
        target_type: typeName,
        target_title: 'Nine',
      }),
    ]);
  });

  it('is gone when its project or a group above it is removed', async () => {
    const group = { name: `Team ${serial}`, path: `team-${serial}`, visibility: 'public' };
    const { id: groupId } = (await service.call<{ id: number }>('POST', '/groups', { token: ada.token, json: group }))
      .body;
    const inside = await service.call<{ id: number }>('POST', '/projects', {
      token: ada.token,
      json: { name: 'inside', namespace_id: groupId },
    });
    const alone = await addProject();
    const feeds = [inside.body.id, alone.id].flatMap((id) => [id * 2, id * 2 + 1]);
    const left = () =>
      service.service.database.reader.query('activity_events').whereIn('feed', feeds) as Promise<unknown[]>;
    expect(await left()).toHaveLength(2);
    await service.call('DELETE', `/groups/${groupId}`, { token: ada.token });
    await service.call('DELETE', `/projects/${alone.id}`, { token: ada.token });
    const { body } = await service.call<EventBody[]>('GET', '/events?per_page=100', { token: ada.token });
    expect(body.filter(({ project_id }) => feeds.includes(project_id * 2))).toEqual([]);
    await until(async () => (await left()).length === 0);
  });
});

describeEachDatabase('activity events of the clock and of accounts', (openTestDatabase) => {
  let service: TestService;
  let root: TestUser;
  let ada: TestUser;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    root = await service.addUser('root', { admin: true });
    ada = await service.addUser('ada');
  });

  afterAll(() => service.close());

  it('tell of a membership that ran out, once it is removed', async () => {
    const member = await service.addUser('visitor');
    const project = await BusyProject.create(service, ada, 'limited', 'public');
    const tomorrow = new Date(service.clock.now().getTime() + DAY_MS).toISOString().slice(0, 10);
    await project.addMember(member, 'reporter', tomorrow);
    service.clock.advance(2 * DAY_MS);
    expect(await service.service.container.get(WORKSPACE_TOKENS.workspace).members.removeExpired()).toBe(1);
    for (const path of ['/events', '/users/visitor/events', `/projects/${project.id}/events`]) {
      const { body } = await service.call<EventBody[]>('GET', `${path}?action=expired`, { token: member.token });
      expect([path, body]).toMatchObject([
        path,
        [
          {
            action_name: 'removed due to membership expiration from',
            author_username: 'visitor',
            target_type: 'Project',
            target_id: project.id,
            created_at: service.clock.now().toISOString(),
          },
        ],
      ]);
    }
  });

  it('of a blocked person stay, and say that he is blocked', async () => {
    const blocked = await service.addUser('blocked');
    const project = await BusyProject.create(service, ada, 'open', 'public');
    await project.call('POST', '/issues', { title: 'Rude' }, blocked);
    await service.call('POST', `/users/${blocked.id}/block`, { token: root.token });
    const { body } = await service.call('GET', '/users/blocked/events', { token: ada.token });
    expect(body).toMatchObject([{ target_title: 'Rude', author: { username: 'blocked', state: 'blocked' } }]);
  });

  it('of a person whose account is gone stay, as those of the ghost', async () => {
    const leaving = await service.addUser('leaving');
    const project = await BusyProject.create(service, ada, 'lasting', 'public');
    await project.call('POST', '/issues', { title: 'Before I go' }, leaving);
    expect((await service.call('DELETE', `/users/${leaving.id}`, { token: root.token })).status).toBe(204);
    const { body } = await service.call<EventBody[]>('GET', `/projects/${project.id}/events?action=created`, {
      token: ada.token,
    });
    expect(body.find(({ target_title }) => target_title === 'Before I go')).toMatchObject({
      author_username: 'ghost',
      author: { username: 'ghost', name: 'Ghost User' },
    });
    expect((await service.call('GET', `/users/${leaving.id}/events`, { token: ada.token })).body).toEqual({
      message: '404 User Not Found',
    });
  });
});

import { expect, it } from '@jest/globals';
import { TOKENS } from '../../src/infrastructure/composition/tokens.js';
import type { TestUser } from '../support/test-service.js';
import { until } from '../support/until.js';
import { describeWriting, type WrittenProject } from '../support/written-project.js';

interface TodoBody {
  readonly action_name: string;
  readonly target_type: string;
}

describeWriting('what people do around a merge request', (writing) => {
  const open = async (fields: object, visibility = 'public'): Promise<{ of: WrittenProject; path: string }> => {
    const of = await writing.newProject({ visibility });
    await of.write('main', { 'README.md': '# Loom\n' });
    await of.write('feature', { 'b.txt': 'b' }, { start_branch: 'main' });
    await of.addMember(writing.grace, 10);
    const json = { source_branch: 'feature', target_branch: 'main', title: 'Weave', ...fields };
    const { status, body } = await of.call<{ iid: number }>('POST', '/merge_requests', json);
    expect(status).toBe(201);
    return { of, path: `/merge_requests/${body.iid}` };
  };
  const actions = async ({ token }: TestUser) => {
    const { schema } = writing.service.service.database;
    await writing.service.service.container.get(TOKENS.jobRunner).runDue();
    await until(async () => (await schema('jobs').where({ kind: 'tell_people' })).length === 0);
    const { body } = await writing.service.call<readonly TodoBody[]>('GET', '/todos', { token });
    await writing.service.call('POST', '/todos/mark_as_done', { token });
    return body.map(({ action_name, target_type }) => `${target_type} ${action_name}`).sort();
  };

  it('is asked of who is to review it, and of who is assigned, by what was asked', async () => {
    await actions(writing.grace);
    const { of, path } = await open({ reviewer_ids: [writing.grace.id] });
    expect(await actions(writing.grace)).toEqual(['MergeRequest review_requested']);
    await of.call('PUT', path, { reviewer_ids: [] });
    await of.call('PUT', path, { assignee_ids: [writing.grace.id] });
    expect(await actions(writing.grace)).toEqual(['MergeRequest assigned']);
    await of.call('PUT', path, { assignee_ids: [], reviewer_ids: [writing.grace.id] });
    await of.call('POST', `${path}/notes`, { body: '@grace, have a look' });
    expect(await actions(writing.grace)).toEqual(['MergeRequest directly_addressed', 'MergeRequest review_requested']);
  });

  it('is asked of nobody, and shown to nobody, who may not read the code', async () => {
    const { of, path } = await open({ description: 'See @grace' }, 'private');
    expect(await actions(writing.grace)).toEqual([]);
    const places = ['discussions', 'award_emoji', 'time_stats', 'resource_label_events', 'notes'];
    for (const place of places) {
      expect((await of.call('GET', `${path}/${place}`)).status).toBe(200);
      const guest = await of.call('GET', `${path}/${place}`, undefined, writing.grace);
      expect([place, guest.status >= 403 && guest.status <= 404]).toEqual([place, true]);
    }
    for (const place of ['todo', 'subscribe'])
      expect((await of.call('POST', `${path}/${place}`, {}, writing.grace)).status).toBeGreaterThanOrEqual(403);
  });

  it('has discussions that are resolved, and time, labels, milestones and states that are told', async () => {
    const { of, path } = await open({ labels: 'bug' });
    const begun = await of.call<{ id: string }>('POST', `${path}/discussions`, { body: 'Why?' }, writing.grace);
    expect(begun).toMatchObject({ status: 201, body: { notes: [{ resolvable: true, resolved: false }] } });
    const resolve = (user: TestUser) =>
      of.call('PUT', `${path}/discussions/${begun.body.id}`, { resolved: true }, user);
    expect((await resolve(writing.grace)).status).toBe(403);
    expect(await resolve(writing.ada)).toMatchObject({
      status: 200,
      body: { notes: [{ resolved: true, resolved_by: { username: 'ada' } }] },
    });
    await of.call('POST', `${path}/time_estimate`, { duration: '1d' });
    await of.call('POST', `${path}/award_emoji`, { name: 'thumbsup' }, writing.grace);
    expect((await of.call('GET', path)).body).toMatchObject({
      time_stats: { time_estimate: 28_800, human_time_estimate: '1d' },
      upvotes: 1,
    });
    const { body: milestone } = await of.call<{ id: number }>('POST', '/milestones', { title: '1.0' });
    await of.call('PUT', path, { labels: 'wish', milestone_id: milestone.id });
    await of.call('PUT', path, { state_event: 'close' });
    const told = async (kind: string) => (await of.call('GET', `${path}/resource_${kind}_events`)).body;
    expect(await told('label')).toMatchObject([
      { action: 'add', label: { name: 'bug' }, resource_type: 'MergeRequest' },
      { action: 'add', label: { name: 'wish' } },
      { action: 'remove', label: { name: 'bug' } },
    ]);
    expect(await told('milestone')).toMatchObject([{ action: 'add', milestone: { title: '1.0' } }]);
    expect(await told('state')).toMatchObject([{ state: 'closed', user: { username: 'ada' } }]);
  });

  it('lets members alone comment while its discussion is locked', async () => {
    const { of, path } = await open({});
    const stranger = await writing.service.addUser('stranger');
    const { body: note } = await of.call<{ id: number }>('POST', `${path}/notes`, { body: 'Before' }, stranger);
    const { body: begun } = await of.call<{ id: string }>('POST', `${path}/discussions`, { body: 'Why?' }, stranger);
    const write = (user: TestUser) =>
      Promise.all([
        of.call('POST', `${path}/notes`, { body: 'After' }, user),
        of.call('POST', `${path}/discussions`, { body: 'After' }, user),
        of.call('POST', `${path}/discussions/${begun.id}/notes`, { body: 'After' }, user),
      ]).then((answers) => answers.map(({ status }) => status));
    await of.call('PUT', path, { discussion_locked: true });
    expect(await write(stranger)).toEqual([403, 403, 403]);
    expect((await of.call('PUT', `${path}/notes/${note.id}`, { body: 'After' }, stranger)).status).toBe(403);
    expect(await write(writing.grace)).toEqual([201, 201, 201]);
    await of.call('PUT', path, { discussion_locked: false });
    expect(await write(stranger)).toEqual([201, 201, 201]);
  });

  it('is locked and unlocked by developers, and not by whoever opened it', async () => {
    const author = await writing.service.addUser('author');
    const { of } = await open({});
    await of.addMember(author, 30);
    await of.write('late', { 'c.txt': 'c' }, { start_branch: 'main' });
    const json = { source_branch: 'late', target_branch: 'main', title: 'Later' };
    const { body } = await of.call<{ iid: number }>('POST', '/merge_requests', json, author);
    const path = `/merge_requests/${body.iid}`;
    const lock = async (user: TestUser, wanted: boolean) =>
      (await of.call('PUT', path, { discussion_locked: wanted }, user)).status;
    const quickly = async (user: TestUser, note: string) =>
      (await of.call('POST', `${path}/notes`, { body: note }, user)).status;
    expect([await lock(author, true), await quickly(author, '/unlock')]).toEqual([200, 202]);
    await of.call('PUT', `/members/${author.id}`, { access_level: 20 });
    expect((await of.call('PUT', path, { title: 'Mine still' }, author)).status).toBe(200);
    expect([await lock(author, true), await quickly(author, '/lock')]).toEqual([403, 400]);
  });
});

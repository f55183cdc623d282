import { beforeAll, expect, it } from '@jest/globals';
import { describeWriting } from '../support/written-project.js';
import { until } from '../support/until.js';
import type { TestUser } from '../support/test-service.js';

describeWriting('how much waits for somebody', (writing) => {
  let bob: TestUser;

  beforeAll(async () => {
    bob = await writing.service.addUser('bob');
  });

  const counted = async (who: TestUser) =>
    (await writing.service.call<Record<string, number>>('GET', '/user_counts', { token: who.token })).body;

  it('is what is assigned to them, is theirs to review, or to do, of what they can see and is open', async () => {
    const none = {
      ...{ merge_requests: 0, assigned_merge_requests: 0, review_requested_merge_requests: 0 },
      ...{ assigned_issues: 0, todos: 0 },
    };
    expect(await counted(bob)).toEqual(none);
    const loom = await writing.newProject({ visibility: 'public' });
    await loom.addMember(bob, 30);
    await loom.write('main', { 'a.txt': 'one\n' });
    for (const branch of ['warp', 'weft'])
      await loom.write(branch, { [`${branch}.txt`]: 'new\n' }, { start_branch: 'main' });
    const opened = { target_branch: 'main', title: 'Change' };
    await loom.call('POST', '/merge_requests', { ...opened, source_branch: 'warp', assignee_id: bob.id });
    await loom.call('POST', '/merge_requests', { ...opened, source_branch: 'weft', reviewer_ids: [bob.id] });
    for (const title of ['First', 'Second']) await loom.call('POST', '/issues', { title, assignee_ids: [bob.id] });
    const all = { ...none, merge_requests: 1, assigned_merge_requests: 1, review_requested_merge_requests: 1 };
    // Jobs of the service make the to-dos.
    await until(async () => (await counted(bob))['todos'] === 4);
    expect(await counted(bob)).toEqual({ ...all, assigned_issues: 2, todos: 4 });

    await loom.call('PUT', '/issues/1', { state_event: 'close' });
    expect(await counted(bob)).toEqual({ ...all, assigned_issues: 1, todos: 4 });
    await loom.call('PUT', '', { visibility: 'private' });
    await loom.call('DELETE', `/members/${bob.id}`);
    expect(await counted(bob)).toEqual(none);
    expect(await counted(loom.owner)).toEqual(none);
  });

  it('is told to nobody who isn’t signed in', async () => {
    expect((await writing.service.call('GET', '/user_counts')).status).toBe(401);
  });
});

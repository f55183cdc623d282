import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeEachDatabase } from '../support/databases.js';
import { TestService, type TestUser } from '../support/test-service.js';

interface EventBody {
  readonly id: number;
  readonly action?: string;
  readonly state?: string;
  readonly label?: { readonly id: number; readonly name: string } | null;
  readonly milestone?: { readonly title: string } | null;
}

describeEachDatabase('resource events', (openTestDatabase) => {
  let service: TestService;
  let ada: TestUser;
  let guest: TestUser;
  let stranger: TestUser;
  let project: number;

  const open = async (fields: object = {}) => {
    const path = `/projects/${project}/issues`;
    const { body } = await service.call<{ id: number; iid: number }>('POST', path, {
      token: ada.token,
      json: { title: 'T', ...fields },
    });
    return { id: body.id, path: `${path}/${body.iid}` };
  };
  const edit = (path: string, json: object) => service.call('PUT', path, { token: ada.token, json });
  const events = async (path: string, kind: string, query = '') =>
    (await service.call<readonly EventBody[]>('GET', `${path}/resource_${kind}_events${query}`, { token: guest.token }))
      .body;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    [ada, guest, stranger] = [
      await service.addUser('ada'),
      await service.addUser('guest'),
      await service.addUser('stranger'),
    ];
    const json = { name: 'engine', visibility: 'private' };
    project = (await service.call<{ id: number }>('POST', '/projects', { token: ada.token, json })).body.id;
    const member = { user_id: guest.id, access_level: 10 };
    await service.call('POST', `/projects/${project}/members`, { token: ada.token, json: member });
  });

  afterAll(() => service.close());

  it('tell which labels came and went, by whom, and which of them are no more', async () => {
    const { id, path } = await open({ labels: 'bug,urgent' });
    await edit(path, { labels: 'bug,wish' });
    await edit(path, { labels: 'bug,wish' });
    const list = await events(path, 'label');
    expect(list.map(({ action, label }) => [action, label?.name])).toEqual([
      ['add', 'bug'],
      ['add', 'urgent'],
      ['add', 'wish'],
      ['remove', 'urgent'],
    ]);
    expect(list[0]).toMatchObject({ resource_type: 'Issue', resource_id: id, user: { username: 'ada' } });
    const one = await service.call('GET', `${path}/resource_label_events/${list[0]!.id}`, { token: guest.token });
    expect([one.status, one.body]).toEqual([200, list[0]]);
    await service.call('DELETE', `/projects/${project}/labels/wish`, { token: ada.token });
    expect((await events(path, 'label', '?per_page=1&page=3'))[0]).toMatchObject({ action: 'add', label: null });
  });

  it('tell when an issue was closed and opened again, and which milestones it was planned for', async () => {
    const add = async (title: string) =>
      (
        await service.call<{ id: number }>('POST', `/projects/${project}/milestones`, {
          token: ada.token,
          json: { title },
        })
      ).body.id;
    const [first, second] = [await add('1.0'), await add('2.0')];
    const { path } = await open({ milestone_id: first });
    for (const json of [
      { state_event: 'close' },
      { state_event: 'close' },
      { state_event: 'reopen' },
      { milestone_id: second },
      { milestone_id: second },
      { milestone_id: 0 },
    ])
      await edit(path, json);
    expect((await events(path, 'state')).map(({ state }) => state)).toEqual(['closed', 'reopened']);
    expect((await events(path, 'milestone')).map(({ action, milestone }) => [action, milestone?.title])).toEqual([
      ['add', '1.0'],
      ['remove', '1.0'],
      ['add', '2.0'],
      ['remove', '2.0'],
    ]);
  });

  it('are there for who sees the issue alone, each below its own issue and kind', async () => {
    const { path } = await open({ labels: 'bug' });
    const [{ id } = { id: 0 }] = await events(path, 'label');
    const confidential = await open({ confidential: true, labels: 'bug' });
    for (const kind of ['label', 'state', 'milestone']) {
      const place = `resource_${kind}_events`;
      for (const address of [place, `${place}/${id}`]) {
        expect((await service.call('GET', `${path}/${address}`)).status).toBe(401);
        expect(await service.call('GET', `${path}/${address}`, { token: stranger.token })).toMatchObject({
          status: 404,
          body: { message: '404 Project Not Found' },
        });
        expect((await service.call('GET', `${confidential.path}/${address}`, { token: guest.token })).status).toBe(404);
      }
      expect((await service.call('GET', `${path}/${place}/999999`, { token: guest.token })).status).toBe(404);
    }
    const other = await open();
    expect((await service.call('GET', `${other.path}/resource_label_events/${id}`, { token: ada.token })).status).toBe(
      404,
    );
    expect((await service.call('GET', `${path}/resource_state_events/${id}`, { token: ada.token })).status).toBe(404);
  });
});

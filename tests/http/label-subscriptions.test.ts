import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeEachDatabase } from '../support/databases.js';
import { TestService, type TestUser } from '../support/test-service.js';

interface LabelBody {
  readonly id: number;
  readonly name: string;
  readonly subscribed: boolean;
}

describeEachDatabase('subscriptions to labels', (openTestDatabase) => {
  let service: TestService;
  let ada: TestUser;
  let grace: TestUser;
  let project: number;
  let bug: number;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    [ada, grace] = [await service.addUser('ada'), await service.addUser('grace')];
    project = await make('/projects', { name: 'engine', visibility: 'public' });
    bug = await make(`/projects/${project}/labels`, { name: 'bug', color: '#d9534f' });
  });

  afterAll(() => service.close());

  const make = async (path: string, json: object) =>
    (await service.call<{ id: number }>('POST', path, { token: ada.token, json })).body.id;
  const pathOf = (label: number | string) => `/projects/${project}/labels/${label}`;
  const call = (path: string, verb: string, { token }: TestUser) =>
    service.call<LabelBody>('POST', `${path}/${verb}`, { token });
  const isSubscribed = async (label: number | string, who?: TestUser) => {
    const asking = who === undefined ? {} : { token: who.token };
    const one = (await service.call<LabelBody>('GET', pathOf(label), asking)).body;
    const all = (await service.call<LabelBody[]>('GET', `/projects/${project}/labels`, asking)).body;
    expect(all.find(({ id }) => id === one.id)?.subscribed).toBe(one.subscribed);
    return one.subscribed;
  };

  it('are made and ended by whoever sees the project, by id or name, and 304 says that it is so already', async () => {
    expect(await isSubscribed(bug, grace)).toBe(false);
    expect(await call(pathOf(bug), 'unsubscribe', grace)).toMatchObject({ status: 304, body: '' });
    expect(await call(pathOf(bug), 'subscribe', grace)).toMatchObject({
      status: 201,
      body: { id: bug, name: 'bug', subscribed: true, is_project_label: true },
    });
    expect((await call(pathOf('bug'), 'subscribe', grace)).status).toBe(304);
    expect([await isSubscribed('bug', grace), await isSubscribed(bug, ada), await isSubscribed(bug)]).toEqual([
      ...[true, false, false],
    ]);
    expect(await call(pathOf('bug'), 'unsubscribe', grace)).toMatchObject({ status: 201, body: { subscribed: false } });
    expect(await isSubscribed(bug, grace)).toBe(false);
  });

  it('stay when the label is changed, and end with it', async () => {
    const wish = await make(`/projects/${project}/labels`, { name: 'wish', color: '#d9534f' });
    expect((await call(pathOf(wish), 'subscribe', ada)).status).toBe(201);
    const json = { new_name: 'hope' };
    const changed = await service.call<LabelBody>('PUT', pathOf(wish), { token: ada.token, json });
    expect(changed.body).toMatchObject({ name: 'hope', subscribed: true });
    expect((await service.call('DELETE', pathOf(wish), { token: ada.token })).status).toBe(204);
    const again = await make(`/projects/${project}/labels`, { name: 'hope', color: '#d9534f' });
    expect(await isSubscribed(again, ada)).toBe(false);
  });

  it('need a token, and a label of a project that the caller may see', async () => {
    const hidden = await make('/projects', { name: 'hidden' });
    const secret = await make(`/projects/${hidden}/labels`, { name: 'secret', color: '#d9534f' });
    for (const verb of ['subscribe', 'unsubscribe']) {
      expect((await service.call('POST', `${pathOf(bug)}/${verb}`)).status).toBe(401);
      for (const path of [pathOf(99_999), pathOf('none'), pathOf(secret)])
        expect(await call(path, verb, grace)).toMatchObject({ status: 404, body: { message: '404 Label Not Found' } });
      const unseen = `/projects/${hidden}/labels/${secret}`;
      expect(await call(unseen, verb, grace)).toMatchObject({
        status: 404,
        body: { message: '404 Project Not Found' },
      });
    }
  });

  it('tell one of those who ask at once that it was not so before', async () => {
    for (const verb of ['subscribe', 'unsubscribe', 'subscribe']) {
      const all = await Promise.all([1, 2, 3, 4].map(() => call(pathOf(bug), verb, grace)));
      expect(all.map(({ status }) => status).sort()).toEqual([201, 304, 304, 304]);
    }
    expect(await isSubscribed(bug, grace)).toBe(true);
  });
});

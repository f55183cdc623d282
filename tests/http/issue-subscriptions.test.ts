import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeEachDatabase } from '../support/databases.js';
import { TestService, type TestUser } from '../support/test-service.js';

interface IssueBody {
  readonly iid: number;
  readonly subscribed?: boolean;
}

describeEachDatabase('subscriptions to issues', (openTestDatabase) => {
  let service: TestService;
  let ada: TestUser;
  let grace: TestUser;
  let project: number;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    [ada, grace] = [await service.addUser('ada'), await service.addUser('grace_h')];
    const json = { name: 'engine', visibility: 'public' };
    project = (await service.call<{ id: number }>('POST', '/projects', { token: ada.token, json })).body.id;
  });

  afterAll(() => service.close());

  const open = async (fields: object = {}) => {
    const json = { title: 'T', ...fields };
    const { body } = await service.call<IssueBody>('POST', `/projects/${project}/issues`, { token: ada.token, json });
    return `/projects/${project}/issues/${body.iid}`;
  };
  const isSubscribed = async (path: string, { token }: TestUser) =>
    (await service.call<IssueBody>('GET', path, { token })).body.subscribed;
  const call = (path: string, verb: string, { token }: TestUser) =>
    service.call<IssueBody>('POST', `${path}/${verb}`, { token });

  it('are made and ended by whoever sees the issue, and 304 says that it is so already', async () => {
    const path = await open();
    expect(await isSubscribed(path, grace)).toBe(false);
    expect(await call(path, 'unsubscribe', grace)).toMatchObject({ status: 304, body: '' });
    expect(await call(path, 'subscribe', grace)).toMatchObject({ status: 201, body: { subscribed: true, title: 'T' } });
    expect((await call(path, 'subscribe', grace)).status).toBe(304);
    expect(await isSubscribed(path, grace)).toBe(true);
    expect(await call(path, 'unsubscribe', grace)).toMatchObject({ status: 201, body: { subscribed: false } });
    expect(await isSubscribed(path, grace)).toBe(false);
    expect(await isSubscribed(path, ada)).toBe(true);
  });

  it('come of taking part: as author, assignee, commenter, or mentioned by name outside code', async () => {
    expect(await isSubscribed(await open(), ada)).toBe(true);
    expect(await isSubscribed(await open({ assignee_ids: [grace.id] }), grace)).toBe(true);
    expect(await isSubscribed(await open({ description: 'Ask @Grace_H.' }), grace)).toBe(true);
    expect(await isSubscribed(await open({ description: 'Not `@grace_h`, nor x@grace_h' }), grace)).toBe(false);
    expect(await isSubscribed(await open({ description: 'Ask @graceXh' }), grace)).toBe(false);
    const discussed = await open();
    const write = (who: TestUser, body: string) =>
      service.call('POST', `${discussed}/notes`, { token: who.token, json: { body } });
    await write(ada, 'cc @grace_h');
    expect(await isSubscribed(discussed, grace)).toBe(true);
    const answered = await open();
    await service.call('POST', `${answered}/notes`, { token: grace.token, json: { body: 'Me too' } });
    expect(await isSubscribed(answered, grace)).toBe(true);
  });

  it('that come of taking part end when that is asked for, and stay ended', async () => {
    const path = await open({ assignee_ids: [grace.id] });
    expect((await call(path, 'subscribe', grace)).status).toBe(304);
    expect((await call(path, 'unsubscribe', grace)).status).toBe(201);
    await service.call('POST', `${path}/notes`, { token: grace.token, json: { body: 'Still here' } });
    expect(await isSubscribed(path, grace)).toBe(false);
    expect((await call(path, 'subscribe', grace)).status).toBe(201);
  });

  it('need a token, and an issue that the caller may see', async () => {
    const secret = await open({ confidential: true });
    for (const verb of ['subscribe', 'unsubscribe']) {
      expect((await service.call('POST', `${secret}/${verb}`)).status).toBe(401);
      expect(await call(secret, verb, grace)).toMatchObject({ status: 404, body: { message: '404 Not Found' } });
      expect((await call(`/projects/${project}/issues/99999`, verb, grace)).status).toBe(404);
    }
    expect(await service.call('GET', await open())).toMatchObject({ body: { subscribed: false } });
  });

  it('tell one of those who ask at once that it was not so before', async () => {
    const path = await open();
    for (const verb of ['subscribe', 'unsubscribe', 'subscribe']) {
      const all = await Promise.all([1, 2, 3, 4].map(() => call(path, verb, grace)));
      expect(all.map(({ status }) => status).sort()).toEqual([201, 304, 304, 304]);
    }
    expect(await isSubscribed(path, grace)).toBe(true);
  });
});

import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeEachDatabase } from '../support/databases.js';
import { TestService, type TestUser } from '../support/test-service.js';

describeEachDatabase('time tracking', (openTestDatabase) => {
  let service: TestService;
  let ada: TestUser;
  let reporter: TestUser;
  let guest: TestUser;
  let stranger: TestUser;
  let project: number;

  const open = async () => {
    const json = { title: 'T' };
    const path = `/projects/${project}/issues`;
    const { body } = await service.call<{ iid: number }>('POST', path, { token: ada.token, json });
    return `${path}/${body.iid}`;
  };
  const post = (path: string, { token }: TestUser, json: object = {}) => service.call('POST', path, { token, json });

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    [ada, reporter, guest, stranger] = [
      await service.addUser('ada'),
      await service.addUser('reporter'),
      await service.addUser('guest'),
      await service.addUser('stranger'),
    ];
    const json = { name: 'engine', visibility: 'private' };
    project = (await service.call<{ id: number }>('POST', '/projects', { token: ada.token, json })).body.id;
    for (const [{ id: user_id }, access_level] of [
      [reporter, 20],
      [guest, 10],
    ] as const)
      await post(`/projects/${project}/members`, ada, { user_id, access_level });
  });

  afterAll(() => service.close());

  it('keeps an estimate and what was spent, told in seconds and as people say it', async () => {
    const issue = await open();
    const none = { time_estimate: 0, total_time_spent: 0, human_time_estimate: null, human_total_time_spent: null };
    const stats = async () => (await service.call('GET', `${issue}/time_stats`, { token: guest.token })).body;
    expect(await stats()).toEqual(none);
    const estimated = { ...none, time_estimate: 12_600, human_time_estimate: '3h 30m' };
    expect(await post(`${issue}/time_estimate`, reporter, { duration: '3h 30m' })).toMatchObject({
      status: 200,
      body: estimated,
    });
    const spent = { ...estimated, total_time_spent: 7_200, human_total_time_spent: '2h' };
    expect(await post(`${issue}/add_spent_time`, reporter, { duration: '2h' })).toMatchObject({
      status: 201,
      body: spent,
    });
    expect((await service.call('GET', issue, { token: guest.token })).body).toMatchObject({ time_stats: spent });
    expect(await post(`${issue}/add_spent_time`, ada, { duration: '-1h' })).toMatchObject({
      status: 201,
      body: { human_total_time_spent: '1h' },
    });
    expect(await post(`${issue}/add_spent_time`, ada, { duration: '-2h' })).toMatchObject({
      status: 400,
      body: { message: { base: ['Time to subtract exceeds the total time spent'] } },
    });
    expect(await post(`${issue}/reset_time_estimate`, ada)).toMatchObject({ status: 200, body: { time_estimate: 0 } });
    expect(await post(`${issue}/reset_spent_time`, ada)).toMatchObject({ status: 200, body: none });
    expect(await stats()).toEqual(none);
    const notes = await service.call<readonly { body: string; system: boolean }[]>('GET', `${issue}/notes?sort=asc`, {
      token: ada.token,
    });
    expect(notes.body.map(({ body, system }) => [body, system])).toEqual([
      ['changed time estimate to 3h 30m', true],
      ['added 2h of time spent', true],
      ['subtracted 1h of time spent', true],
      ['removed time estimate', true],
      ['removed time spent', true],
    ]);
  });

  it('loses nothing of what several people add at once', async () => {
    const issue = await open();
    const all = await Promise.all(
      Array.from({ length: 10 }, (_, number) =>
        post(`${issue}/add_spent_time`, number % 2 ? ada : reporter, { duration: '1h' }),
      ),
    );
    expect(all.map(({ status }) => status)).toEqual(Array(10).fill(201));
    expect((await service.call('GET', `${issue}/time_stats`, { token: ada.token })).body).toMatchObject({
      total_time_spent: 36_000,
    });
  });

  it('refuses what is no time, and more than anybody can work', async () => {
    const issue = await open();
    for (const duration of ['soon', '1x', '-1h', '1h;', '999999999mo']) {
      const { status, body } = await post(`${issue}/time_estimate`, ada, { duration });
      expect([duration, status]).toEqual([duration, 400]);
      expect(JSON.stringify(body)).toMatch(/Time/);
    }
    expect(await post(`${issue}/time_estimate`, ada, { duration: 'soon' })).toMatchObject({
      body: {
        message: { base: ['Time estimate must have a valid format and be greater than or equal to zero.'] },
      },
    });
    for (const duration of ['soon', '0', '999999999mo'])
      expect((await post(`${issue}/add_spent_time`, ada, { duration })).status).toBe(400);
    expect(await post(`${issue}/time_estimate`, ada)).toMatchObject({
      status: 400,
      body: { error: 'duration is missing' },
    });
    expect((await post(`${issue}/time_estimate`, ada, { duration: '1'.repeat(256) })).status).toBe(400);
  });

  it('is changed by reporters and up, read by who sees the issue, and not there for others', async () => {
    const issue = await open();
    const changes = ['time_estimate', 'add_spent_time', 'reset_time_estimate', 'reset_spent_time'];
    for (const change of changes) {
      const json = { duration: '1h' };
      expect((await post(`${issue}/${change}`, guest, json)).status).toBe(403);
      expect(await post(`${issue}/${change}`, stranger, json)).toMatchObject({
        status: 404,
        body: { message: '404 Project Not Found' },
      });
      expect((await service.call('POST', `${issue}/${change}`, { json })).status).toBe(401);
    }
    for (const who of [{ token: stranger.token }, {}])
      expect((await service.call('GET', `${issue}/time_stats`, who)).status).toBe(404);
  });
});

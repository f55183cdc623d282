import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeEachDatabase } from '../support/databases.js';
import { TestService, type TestUser } from '../support/test-service.js';

const BOT = `project_1_bot_${'0a'.repeat(16)}`;
const RESERVED = ['ghost', 'Ghost', BOT, BOT.toUpperCase(), 'group_12_bot_x'];

describeEachDatabase('the names of who wrote what is left of accounts, and of bots,', (openTestDatabase) => {
  let service: TestService;
  let root: TestUser;
  let ada: TestUser;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    root = await service.addUser('root', { admin: true });
    ada = await service.addUser('ada');
  });

  afterAll(() => service.close());

  const call = (method: string, path: string, json: object) =>
    service.call<{ username: string; name: string }>(method, path, { token: root.token, json });
  const refusedFor = (attribute: string) => ({
    status: 400,
    body: { message: { [attribute]: ['is a reserved name'] } },
  });

  it('are nobody else’s: accounts are neither made nor renamed so', async () => {
    for (const username of RESERVED) {
      const made = { username, name: 'x', email: 'x@example.com', force_random_password: true };
      expect(await call('POST', '/users', made)).toMatchObject(refusedFor('username'));
      expect(await call('PUT', `/users/${ada.id}`, { username })).toMatchObject(refusedFor('username'));
    }
    expect(await call('POST', '/groups', { name: 'x', path: 'ghost' })).toMatchObject(refusedFor('path'));
    expect(await call('PUT', `/users/${ada.id}`, { username: 'project_1_botanist' })).toMatchObject({ status: 200 });
  });

  it('stay those of accounts that have had them before', async () => {
    for (const username of ['ghost', BOT]) {
      const { id } = await service.addUser(username);
      const renamed = await call('PUT', `/users/${id}`, { username, name: 'Casper' });
      expect(renamed).toMatchObject({ status: 200, body: { username, name: 'Casper' } });
      expect(await call('PUT', `/users/${id}`, { username: 'alert-bot' })).toMatchObject(refusedFor('username'));
    }
  });
});

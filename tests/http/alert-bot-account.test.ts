import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { OPERATOR } from '../../src/application/identity/requester.js';
import { ALERT_BOT } from '../../src/domain/identity/service-account.js';
import { IDENTITY_TOKENS } from '../../src/infrastructure/composition/identity.tokens.js';
import { BusyProject } from '../support/activity.js';
import { describeEachDatabase } from '../support/databases.js';
import { FormBrowser, PASSWORD } from '../support/form-browser.js';
import { OAuthClient } from '../support/oauth-client.js';
import { queuedMails } from '../support/queued-mails.js';
import { TestService, type TestUser } from '../support/test-service.js';
import type { UserId } from '../../src/domain/shared/identifiers.js';

describeEachDatabase('nobody becomes the alert bot', (openTestDatabase) => {
  let service: TestService;
  let root: TestUser;
  let ada: TestUser;
  let bot: UserId;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    root = await service.addUser('root', { admin: true, scopes: ['api', 'sudo'] });
    ada = await service.addUser('ada', { password: PASSWORD });
    // With everything that an account could have, put there by hand.
    bot = (await service.addUser(ALERT_BOT, { password: PASSWORD })).id;
  });

  afterAll(() => service.close());

  const call = (method: string, path: string, json: object = {}, headers: Record<string, string> = {}) =>
    service.call(method, path, { token: root.token, headers, ...(method === 'GET' ? {} : { json }) });

  it('by signing in, with its name or address, on the page or by the password grant', async () => {
    for (const login of [ALERT_BOT, ALERT_BOT.toUpperCase(), `${ALERT_BOT}@example.com`]) {
      expect([login, (await new FormBrowser(service.url).signIn(login)).status]).toEqual([login, 401]);
      const client = await OAuthClient.register(service);
      const grant = { grant_type: 'password', username: login, password: PASSWORD, ...client.credentials };
      expect((await client.post('/oauth/token', grant)).status).toBe(400);
    }
  });

  it('by sudo, by its name or id', async () => {
    for (const target of [ALERT_BOT, String(bot)]) {
      const { status, body } = await call('GET', '/user', {}, { Sudo: target });
      expect([target, status, JSON.stringify(body)]).toEqual([
        target,
        403,
        expect.stringContaining('nobody can act as it'),
      ]);
    }
  });

  it('by a token, made for it or there already', async () => {
    expect((await call('POST', `/users/${bot}/personal_access_tokens`, { name: 'x', scopes: ['api'] })).status).toBe(
      403,
    );
    const { personalAccessTokens } = service.service.container.get(IDENTITY_TOKENS.identity);
    const command = { userId: bot, name: 'x', scopes: ['api'], expiresAt: null } as const;
    await expect(personalAccessTokens.create(OPERATOR, command)).rejects.toThrow('belongs to the service');
    const token = await service.addToken(bot, ['api']);
    expect((await service.call('GET', '/user', { token })).status).toBe(403);
  });

  it('by its password or address', async () => {
    for (const change of [{ password: 'another-engine' }, { email: 'mine@example.com' }, { admin: true }])
      expect((await call('PUT', `/users/${bot}`, change)).status).toBe(403);
    const browser = new FormBrowser(service.url);
    const email = `${ALERT_BOT}@example.com`;
    await browser.submit('/users/password/new', '/users/password/new', { email });
    expect(await queuedMails(service, email)).toEqual([]);
  });

  it('by making it a member', async () => {
    const project = await BusyProject.create(service, ada, 'engine');
    const member = { user_id: bot, access_level: 30 };
    const added = await service.call('POST', `/projects/${project.id}/members`, { token: ada.token, json: member });
    expect(added.status).toBe(403);
    const group = { name: 'Engines', path: 'engines' };
    const { body } = await service.call<{ id: number }>('POST', '/groups', { token: ada.token, json: group });
    const joined = await service.call('POST', `/groups/${body.id}/members`, { token: ada.token, json: member });
    expect(joined.status).toBe(403);
  });

  it('by renaming somebody, or making somebody of its name', async () => {
    for (const username of ['alert-bot', 'ALERT-BOT', 'Alert-Bot']) {
      expect((await call('PUT', `/users/${ada.id}`, { username })).status).toBe(400);
      const made = { username, name: 'x', email: 'x@example.com', force_random_password: true };
      expect((await call('POST', '/users', made)).status).toBe(400);
    }
  });
});

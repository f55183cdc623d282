import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { AlertingProject, sendAlert } from '../support/alerting.js';
import { describeDatabase } from '../support/databases.js';
import { deployTwoNodes } from '../support/deployments.js';
import { PASSWORD, type FormBrowser } from '../support/form-browser.js';
import { CALLBACK, OAuthClient, signedIn } from '../support/oauth-client.js';
import type { TestService, TestUser } from '../support/test-service.js';

describeDatabase('postgres', 'two nodes on one database', (openTestDatabase) => {
  let deployment: Awaited<ReturnType<typeof deployTwoNodes>>;
  let left: TestService;
  let right: TestService;
  let client: OAuthClient;
  let person: FormBrowser;
  let ada: TestUser;

  beforeAll(async () => {
    deployment = await deployTwoNodes(await openTestDatabase());
    [left, right] = deployment.nodes;
    ada = await left.addUser('ada', { password: PASSWORD });
    client = await OAuthClient.register(left);
    person = await signedIn(left, 'ada');
  });

  afterAll(() => deployment.close());

  /** What one node says to a token, past the proxy. */
  const reads = async (node: TestService, token: string) =>
    (await fetch(`${node.nodeUrl}/api/v4/user`, { headers: { Authorization: `Bearer ${token}` } })).status;

  const send = async (node: TestService, path: string, fields: Record<string, string>) => {
    const body = new URLSearchParams({ ...client.credentials, ...fields });
    const response = await fetch(node.nodeUrl + path, { method: 'POST', body });
    return { status: response.status, body: (await response.json()) as Record<string, string> };
  };

  it('both refuse at once an OAuth token that one of them revoked', async () => {
    const { access_token: token } = await client.tokens(person);
    expect([await reads(left, token), await reads(right, token)]).toEqual([200, 200]);
    expect((await send(left, '/oauth/revoke', { token })).status).toBe(200);
    expect([await reads(right, token), await reads(left, token)]).toEqual([401, 401]);
  });

  it('both refuse at once a personal access token that one of them revoked', async () => {
    const token = await left.addToken(ada.id, ['api']);
    expect(await reads(right, token)).toBe(200);
    const revoked = await fetch(`${left.nodeUrl}/api/v4/personal_access_tokens/self`, {
      method: 'DELETE',
      headers: { 'PRIVATE-TOKEN': token },
    });
    expect(revoked.status).toBe(204);
    expect(await reads(right, token)).toBe(401);
  });

  it('give one success to fifty redemptions of one code at once', async () => {
    const code = await client.code(person);
    const fields = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK };
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => send(index % 2 === 0 ? left : right, '/oauth/token', fields)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const refusals = answers.filter(({ status }) => status !== 200);
    expect(new Set(refusals.map(({ status, body }) => `${status} ${body['error']}`))).toEqual(
      new Set(['400 invalid_grant']),
    );
  });

  it('sign nobody out who races himself for a new token, on either', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { refresh_token } = await client.tokens(person);
      const fields = { grant_type: 'refresh_token', refresh_token };
      const answers = await Promise.all([left, right, left, right].map((node) => send(node, '/oauth/token', fields)));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      for (const { body } of answers) {
        const token = body['access_token'] ?? '';
        expect([await reads(left, token), await reads(right, token)]).toEqual([200, 200]);
      }
    }
  });

  it('catch a thief who comes to the other node', async () => {
    const { refresh_token } = await client.tokens(person);
    const { body } = await send(left, '/oauth/token', { grant_type: 'refresh_token', refresh_token });
    for (const node of deployment.nodes) node.clock.advance(31_000);
    expect((await send(right, '/oauth/token', { grant_type: 'refresh_token', refresh_token })).status).toBe(400);
    expect(await reads(left, body['access_token'] ?? '')).toBe(401);
  });

  it('lock an account after ten wrong passwords in all, wherever they are tried and however many at once', async () => {
    await left.addUser('eve', { password: PASSWORD });
    const signIn = async (node: TestService, password: string): Promise<number> =>
      (await send(node, '/oauth/token', { grant_type: 'password', username: 'eve', password })).status;
    const guess = (times: number) =>
      Promise.all(
        Array.from({ length: times }, (_, index) => signIn(index % 2 === 0 ? left : right, `guess-${index}`)),
      );
    await guess(9);
    expect(await signIn(right, PASSWORD)).toBe(200);
    await guess(10);
    expect([await signIn(left, PASSWORD), await signIn(right, PASSWORD)]).toEqual([400, 400]);
    for (const node of deployment.nodes) node.clock.advance(11 * 60_000);
    expect([await signIn(left, PASSWORD), await signIn(right, PASSWORD)]).toEqual([200, 200]);
  });

  it('know each other’s sessions, and end them for each other', async () => {
    expect((await person.get('/profile/account')).status).toBe(200);
    expect((await person.get('/profile/account')).status).toBe(200);
    const token = await person.formToken('/profile/account');
    await person.post('/users/sign_out', { authenticity_token: token });
    for (const node of deployment.nodes) {
      const cookie = [...person.cookies].map((pair) => pair.join('=')).join('; ');
      const page = await fetch(`${node.nodeUrl}/profile/account`, { headers: { cookie }, redirect: 'manual' });
      expect(page.status).toBe(303);
    }
  });

  it('open incidents as one account, made by whichever needs it first, that neither lets an administrator remove', async () => {
    const place = await AlertingProject.create(left, ada, 'engine');
    const { token } = await place.integrate();
    const { token: admin } = await left.addUser('admin', { admin: true });
    let serial = 0;
    const sendTo = (node: TestService) =>
      sendAlert({ url: `${node.nodeUrl}/ada/engine/alerts/notify.json`, token }, { title: `Down ${(serial += 1)}` });
    const answers = await Promise.all([left, right, left, right].map(sendTo));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const bots = await left.nodeCall<{ id: number }[]>('GET', '/users?username=alert-bot', { token: admin });
    for (const node of deployment.nodes) {
      const removal = await node.nodeCall('DELETE', `/users/${bots.body[0]?.id}`, { token: admin });
      expect(removal.status).toBe(403);
      expect((await sendTo(node)).status).toBe(200);
    }
    const { body: incidents } = await place.call<{ author: { id: number } }[]>('GET', '/issues');
    expect(incidents.map(({ author }) => author.id)).toEqual(new Array(6).fill(bots.body[0]?.id));
  });
});

import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { AwaitedBodies } from '../support/awaited-bodies.js';
import { describeEachDatabase } from '../support/databases.js';
import { FormBrowser, PASSWORD } from '../support/form-browser.js';
import { LateRequest } from '../support/late-request.js';
import { TestService, type TestUser } from '../support/test-service.js';

describeEachDatabase('a body that ends late', (openTestDatabase) => {
  let service: TestService;
  let root: TestUser;
  let bodies: AwaitedBodies;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    bodies = new AwaitedBodies(service);
    root = await service.addUser('root', { admin: true });
  });

  afterAll(() => service.close());

  /** Once the service has let it in by its head. */
  const begun = async (request: Promise<LateRequest>): Promise<LateRequest> => {
    const late = await request;
    await bodies.are(1);
    return late;
  };

  const lateCall = (path: string, { token }: TestUser, json: object) =>
    begun(
      LateRequest.begin({
        url: `${service.nodeUrl}/api/v4${path}`,
        headers: { 'PRIVATE-TOKEN': token, 'Content-Type': 'application/json' },
        body: JSON.stringify(json),
      }),
    );

  it('changes nothing by a token that was revoked meanwhile', async () => {
    const ada = await service.addUser('ada');
    const request = await lateCall('/user/emails', ada, { email: 'late@example.com' });
    expect((await service.call('DELETE', '/personal_access_tokens/self', { token: ada.token })).status).toBe(204);
    expect((await request.finish()).status).toBe(401);
    const other = await service.addToken(ada.id, ['api']);
    expect(JSON.stringify((await service.call('GET', '/user/emails', { token: other })).body)).not.toContain('late@');
  });

  it('changes nothing by an administrator who is none any more, or is blocked', async () => {
    const mallory = await service.addUser('mallory', { admin: true });
    const make = {
      username: 'backdoor',
      name: 'Backdoor',
      email: 'backdoor@example.com',
      password: PASSWORD,
      admin: true,
    };
    const demoted = await lateCall('/users', mallory, make);
    await service.call('PUT', `/users/${mallory.id}`, { token: root.token, json: { admin: false } });
    expect((await demoted.finish()).status).toBe(403);
    const blocked = await lateCall('/projects', mallory, { name: 'late' });
    await service.call('POST', `/users/${mallory.id}/block`, { token: root.token });
    expect((await blocked.finish()).status).toBe(403);
    expect((await service.call<unknown[]>('GET', '/users?username=backdoor', { token: root.token })).body).toEqual([]);
  });

  it('does no sensitive act in a session that was ended meanwhile', async () => {
    const grace = await service.addUser('grace', { password: PASSWORD });
    const [thief, owner] = [new FormBrowser(service.nodeUrl), new FormBrowser(service.nodeUrl)];
    await thief.signIn('grace');
    await owner.signIn('grace');
    const page = '/profile/personal_access_tokens';
    const form = { authenticity_token: await thief.formToken(page), name: 'mine', scopes: 'api' };
    const request = await begun(
      LateRequest.begin({
        url: service.nodeUrl + page,
        headers: {
          Cookie: [...thief.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
          'Content-Type': 'application/x-www-form-urlencoded',
        },
        body: new URLSearchParams(form).toString(),
      }),
    );
    const account = '/profile/account';
    const changed = { current_password: PASSWORD, password: `${PASSWORD}-2`, other_sessions: 'end' };
    expect((await owner.submit(account, `${account}/password`, changed)).status).toBe(303);
    expect((await thief.get(account)).status).toBe(303);
    expect((await request.finish()).text).toMatch(/^HTTP\/1\.1 303 [^]*Location: \/users\/sign_in/i);
    const tokens = await service.call<{ name: string }[]>('GET', `/personal_access_tokens?user_id=${grace.id}`, root);
    expect(tokens.body.map(({ name }) => name)).not.toContain('mine');
  });
});

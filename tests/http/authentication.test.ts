import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SCOPES } from '../../src/domain/shared/scope.js';
import { IDENTITY_TOKENS } from '../../src/infrastructure/composition/identity.tokens.js';
import { describeEachDatabase } from '../support/databases.js';
import { PASSWORD } from '../support/form-browser.js';
import { TestService, type TestUser } from '../support/test-service.js';

describeEachDatabase('authentication', (openTestDatabase) => {
  let service: TestService;
  let root: TestUser;
  let ada: TestUser;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    root = await service.addUser('root', { admin: true, scopes: ['api', 'sudo'] });
    ada = await service.addUser('ada');
  });

  afterAll(() => service.close());

  const whoAmI = async (path: string, headers: Record<string, string> = {}) => {
    const { status, body } = await service.call<{ username?: string }>('GET', path, { headers });
    return status === 200 ? body.username : status;
  };

  it('takes a token from every place that API clients send it in', async () => {
    expect(await whoAmI('/user', { 'PRIVATE-TOKEN': ada.token })).toBe('ada');
    expect(await whoAmI('/user', { Authorization: `Bearer ${ada.token}` })).toBe('ada');
    expect(await whoAmI(`/user?private_token=${ada.token}`)).toBe('ada');
    expect(await whoAmI(`/user?access_token=${ada.token}`)).toBe('ada');
    expect(await whoAmI(`/user?bearer_token=${ada.token}`)).toBe('ada');
  });

  it('refuses two tokens in one request with 400', async () => {
    expect(await whoAmI(`/user?access_token=${ada.token}`, { Authorization: `Bearer ${ada.token}` })).toBe(400);
    expect(await whoAmI('/user', { Authorization: `Bearer ${ada.token}`, 'PRIVATE-TOKEN': root.token })).toBe(400);
  });

  it.each(['wrong', 'x'.repeat(8_000), '!', 'é'])(
    'refuses a token that matches nothing with 401 (%.10s)',
    async (token) => {
      const { status, body, headers } = await service.call('GET', `/user?private_token=${encodeURIComponent(token)}`);
      expect([status, body, headers.get('www-authenticate')]).toEqual([401, { message: '401 Unauthorized' }, null]);
    },
  );

  it('refuses a wrong token even where nobody needs one', async () => {
    expect((await service.call('GET', '/projects')).status).toBe(200);
    expect((await service.call('GET', '/projects', { token: 'wrong' })).status).toBe(401);
    expect((await service.call('GET', '/projects', { headers: { Authorization: 'Bearer' } })).status).toBe(401);
  });

  it('tells an expired token that it expired, as RFC 6750 has it', async () => {
    const token = await service.addToken(ada.id, ['api'], '2020-01-01');
    const { status, body, headers } = await service.call('GET', '/user', { token });
    expect([status, body]).toEqual([
      401,
      {
        error: 'invalid_token',
        error_description: 'Token is expired. You can either do re-authorization or token refresh.',
      },
    ]);
    expect(headers.get('www-authenticate')).toMatch(/^Bearer realm="Protected by OAuth 2.0", error="invalid_token"/);
  });

  it('lets a token expire at the start of its day, UTC', async () => {
    const today = service.clock.now().toISOString().slice(0, 10);
    const tomorrow = new Date(service.clock.now().getTime() + 86_400_000).toISOString().slice(0, 10);
    expect((await service.call('GET', '/user', { token: await service.addToken(ada.id, ['api'], today) })).status).toBe(
      401,
    );
    expect(
      (await service.call('GET', '/user', { token: await service.addToken(ada.id, ['api'], tomorrow) })).status,
    ).toBe(200);
  });

  it('refuses a revoked token at once, and says so', async () => {
    const token = await service.addToken(ada.id, ['api']);
    expect((await service.call('DELETE', '/personal_access_tokens/self', { token })).status).toBe(204);
    const { status, body } = await service.call('GET', '/user', { token });
    expect([status, body]).toEqual([
      401,
      { error: 'invalid_token', error_description: 'Token was revoked. You have to re-authorize from the user.' },
    ]);
  });

  it('refuses the tokens of a blocked user with 403', async () => {
    const mallory = await service.addUser('mallory');
    expect((await service.call('POST', `/users/${mallory.id}/block`, { token: root.token })).body).toBe(true);
    expect((await service.call('POST', `/users/${mallory.id}/block`, { token: root.token })).body).toBeNull();
    const { status, body } = await service.call('GET', '/user', { token: mallory.token });
    expect([status, body]).toEqual([403, { message: '403 Forbidden - Your account has been blocked.' }]);
  });

  describe('by scope', () => {
    it('read_user reads people and nothing else', async () => {
      const token = await service.addToken(ada.id, ['read_user']);
      for (const path of ['/user', '/users', `/users/${root.id}`, '/user/emails']) {
        expect([path, (await service.call('GET', path, { token })).status]).toEqual([path, 200]);
      }
      const refused = await service.call('GET', '/projects', { token });
      expect([refused.status, refused.body]).toEqual([
        403,
        {
          error: 'insufficient_scope',
          error_description: 'The request requires higher privileges than provided by the access token.',
          scope: 'api read_api',
        },
      ]);
    });

    it('read_api reads everything and changes nothing', async () => {
      const token = await service.addToken(ada.id, ['read_api']);
      expect((await service.call('GET', '/projects', { token })).status).toBe(200);
      const { status, body } = await service.call('POST', '/projects', { token, json: { name: 'x' } });
      expect([status, (body as { scope: string }).scope]).toEqual([403, 'api']);
    });

    it.each(['openid', 'profile', 'email', 'sudo'] as const)('%s alone reads nothing', async (scope) => {
      expect((await service.call('GET', '/user', { token: await service.addToken(root.id, [scope]) })).status).toBe(
        403,
      );
    });

    describe.each([...SCOPES])('%s alone', (scope) => {
      const self = '/personal_access_tokens/self';

      it('sees its own token and ends it, and no other', async () => {
        const [token, other] = [await service.addToken(ada.id, [scope]), await service.addToken(ada.id, [scope])];
        const seen = await service.call<{ id: number; scopes: string[] }>('GET', self, { token });
        expect([seen.status, seen.body.scopes]).toEqual([200, [scope]]);
        const { id } = (await service.call<{ id: number }>('GET', self, { token: other })).body;
        const mayMore = ['api', 'read_api'].includes(scope);
        expect((await service.call('GET', `/personal_access_tokens/${id}`, { token })).status).toBe(
          mayMore ? 200 : 403,
        );
        if (scope !== 'api')
          expect((await service.call('DELETE', `/personal_access_tokens/${id}`, { token })).status).toBe(403);
        expect((await service.call('DELETE', self, { token })).status).toBe(204);
        expect((await service.call('GET', self, { token })).status).toBe(401);
        expect((await service.call('GET', self, { token: other })).status).toBe(200);
      });

      it('reads what is the same for everybody', async () => {
        const token = await service.addToken(ada.id, [scope]);
        for (const path of [`/users/${ada.id}/keys`, '/users/ada/keys', '/templates/licenses', '/api_changes'])
          expect([path, (await service.call('GET', path, { token })).status]).toEqual([path, 200]);
        expect((await service.call('GET', `/users/${ada.id}/keys/999999`, { token })).status).toBe(404);
      });
    });

    it('a token of an application is no personal access token to see or end', async () => {
      const grace = await service.addUser('grace', { password: PASSWORD });
      const token = await service.addOAuthToken(grace.username, PASSWORD, 'read_user');
      for (const method of ['GET', 'DELETE'])
        expect(
          (
            await service.call(method, '/personal_access_tokens/self', {
              headers: { Authorization: `Bearer ${token}` },
            })
          ).status,
        ).toBe(404);
    });
  });

  describe('sudo', () => {
    it('acts for a user by id or name, from header or parameter', async () => {
      expect(await whoAmI('/user', { 'PRIVATE-TOKEN': root.token, Sudo: 'ada' })).toBe('ada');
      expect(await whoAmI('/user', { 'PRIVATE-TOKEN': root.token, Sudo: String(ada.id) })).toBe('ada');
      expect(await whoAmI('/user?sudo=ADA', { 'PRIVATE-TOKEN': root.token })).toBe('ada');
    });

    it('does not keep the rights of the administrator', async () => {
      const { status } = await service.call('POST', '/users', {
        token: root.token,
        headers: { Sudo: 'ada' },
        json: {},
      });
      expect(status).toBe(403);
    });

    it('is refused to everybody else, each with the reason', async () => {
      const attempt = async (token: string | undefined, target = 'ada') => {
        const { status, body } = await service.call('GET', '/user', {
          ...(token === undefined ? {} : { token }),
          headers: { Sudo: target },
        });
        return [status, (body as { message?: string; scope?: string }).message ?? (body as { scope?: string }).scope];
      };
      expect(await attempt(undefined)).toEqual([401, '401 Unauthorized']);
      expect(await attempt(ada.token, 'root')).toEqual([403, '403 Forbidden - Must be admin to use sudo']);
      expect(await attempt(await service.addToken(root.id, ['api']))).toEqual([403, 'sudo']);
      expect(await attempt(root.token, 'nobody')).toEqual([404, "404 User with ID or username 'nobody' Not Found"]);
    });
  });

  describe('a token that makes tokens', () => {
    const make = (token: string, scopes: string[]) =>
      service.call('POST', `/users/${root.id}/personal_access_tokens`, { token, json: { name: 'made', scopes } });

    it('never makes one that can do more than itself', async () => {
      const api = await service.addToken(root.id, ['api']);
      expect((await make(api, ['read_user', 'read_api', 'api'])).status).toBe(201);
      expect((await make(api, ['sudo'])).status).toBe(403);
      // It pushes itself.
      expect((await make(api, ['write_repository'])).status).toBe(201);
      expect((await make(root.token, ['sudo'])).status).toBe(201);
    });

    it('is told what is wrong with a token that can not be', async () => {
      expect((await make(root.token, [])).body).toEqual({ message: { scopes: ["can't be blank"] } });
      expect((await make(root.token, ['everything'])).status).toBe(400);
    });
  });

  it('writes the last use of a token outside the request, and not at every one', async () => {
    const token = await service.addToken(ada.id, ['api']);
    const { tokenUses } = service.service.container.get(IDENTITY_TOKENS.identity);
    const lastUsed = async () =>
      (await service.call<{ last_used_at: string | null }>('GET', '/personal_access_tokens/self', { token })).body
        .last_used_at;
    expect(await lastUsed()).toBeNull();
    await tokenUses.flush();
    const first = await lastUsed();
    expect(first).toBe(service.clock.now().toISOString());
    service.clock.advance(60_000);
    await lastUsed();
    await tokenUses.flush();
    expect(await lastUsed()).toBe(first);
  });

  it('leaves no secret in the log, nor in a link', async () => {
    const { headers } = await service.call('GET', `/users?private_token=${ada.token}&per_page=1`);
    expect(headers.get('link')).toContain('per_page=1');
    expect(headers.get('link')).not.toContain(ada.token);
    await service.call('POST', '/users', {
      token: root.token,
      json: { email: 'new@example.com', username: 'new', name: 'New', password: 'correct-horse-battery' },
    });
    const log = JSON.stringify(service.logger.lines);
    expect(service.logger.lines.length).toBeGreaterThan(20);
    for (const secret of [...service.secrets, 'correct-horse-battery']) expect(log).not.toContain(secret);
  });

  it('writes one line a request with its id, route, status, duration and actor', async () => {
    const { headers } = await service.call('GET', `/users/${root.id}`, { token: ada.token });
    const line = service.logger.lines.find(({ fields }) => fields['requestId'] === headers.get('x-request-id'));
    expect(line).toMatchObject({
      level: 'info',
      message: 'request',
      fields: {
        method: 'GET',
        route: '/api/v4/users/:id',
        status: 200,
        actor: `user:${ada.id}`,
        durationMs: expect.any(Number),
      },
    });
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OAUTH_TOKENS } from '../../src/infrastructure/composition/oauth.tokens.js';
import { describeEachDatabase } from '../support/databases.js';
import { PASSWORD, type FormBrowser } from '../support/form-browser.js';
import { CALLBACK, decide, OAuthClient, signedIn } from '../support/oauth-client.js';
import { TestService } from '../support/test-service.js';

describeEachDatabase('an id_token_hint', (openTestDatabase) => {
  let service: TestService;
  let client: OAuthClient;
  let adas: string;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    for (const name of ['ada', 'grace']) await service.addUser(name, { password: PASSWORD });
    client = await OAuthClient.register(service);
    adas = await idTokenOf('ada', client);
    await idTokenOf('grace', client);
  });

  afterAll(() => service.close());

  const idTokenOf = async (name: string, of: OAuthClient): Promise<string> =>
    (await of.tokens(await signedIn(service, name), 'openid')).id_token ?? '';

  const path = (id_token_hint: string, prompt?: string) =>
    client.authorizePath({ scope: 'openid', id_token_hint, prompt });

  const ask = async (who: FormBrowser, hint: string, prompt?: string) => {
    const { status, headers } = await who.get(path(hint, prompt));
    return { status, to: new URL(headers.get('location') ?? '/', service.url) };
  };

  const silently = async (name: string, hint: string) => {
    const { to } = await ask(await signedIn(service, name), hint, 'none');
    expect(to.origin + to.pathname).toBe(CALLBACK);
    return to.searchParams.get('error') ?? (to.searchParams.has('code') ? 'a code' : 'nothing');
  };

  it('lets pass silently whom it names, and answers login_required where somebody else is signed in', async () => {
    expect(await silently('ada', adas)).toBe('a code');
    expect(await silently('grace', adas)).toBe('login_required');
  });

  it('has somebody else sign in, and tells the application once that was not whom it names', async () => {
    const person = await signedIn(service, 'grace');
    const { to } = await ask(person, adas);
    expect(to.pathname).toBe('/users/sign_in');
    const return_to = to.searchParams.get('return_to') ?? '';
    const signIn = async (login: string): Promise<string> => {
      const fields = { login, password: PASSWORD, return_to };
      const { headers } = await person.submit(to.pathname + to.search, '/users/sign_in', fields);
      return headers.get('location') ?? '';
    };
    const onward = await person.get(await signIn('grace'));
    expect([onward.status, await onward.text()]).toEqual([200, expect.stringContaining('error=login_required')]);
    expect((await decide(person, await signIn('ada'))).searchParams.get('code')).not.toBeNull();
  });

  it('holds when the form of the page is sent, too', async () => {
    const person = await signedIn(service, 'ada');
    const page = await (await person.get(path(adas))).text();
    expect(page).toContain(`name="id_token_hint" value="${adas}"`);
    const other = await signedIn(service, 'grace');
    const sent = await other.submit('/profile/account', '/oauth/authorize', {
      client_id: client.id,
      redirect_uri: CALLBACK,
      response_type: 'code',
      scope: 'openid',
      id_token_hint: adas,
      decision: 'authorize',
    });
    expect(sent.headers.get('location')).toMatch(/^\/users\/sign_in\?/);
  });

  describe('that is none', () => {
    const refused = async (hint: string) =>
      expect([hint, await silently('ada', hint)]).toEqual([hint, 'invalid_request']);

    it('is refused: no token, another signature, another algorithm, too long', async () => {
      const [header = '', payload = '', signature = ''] = adas.split('.');
      const forged = (claims: object) => Buffer.from(JSON.stringify(claims)).toString('base64url');
      await refused('nonsense');
      await refused(`${header}.${payload}.${signature.slice(0, -4)}AAAA`);
      await refused(`${header}.${forged({ sub: '1', aud: client.id, iss: service.url, auth_time: 1 })}.${signature}`);
      await refused(`${forged({ alg: 'none' })}.${payload}.`);
      await refused(`${header}.${payload}`);
      await refused('x'.repeat(4_001));
      expect((await ask(await signedIn(service, 'ada'), 'nonsense')).to.searchParams.get('error')).toBe(
        'invalid_request',
      );
    });

    it('is refused: that of another application, and what our key signed for another purpose', async () => {
      await refused(await idTokenOf('ada', await OAuthClient.register(service)));
      const { signClaims } = service.service.container.get(OAUTH_TOKENS.oauth);
      await refused(await signClaims.sign({ sub: '1' }, { audience: client.id, lifetimeSeconds: 60 }));
    });
  });

  it('may have expired, and is good for as long as the key that signed it is published', async () => {
    service.clock.advance(2 * 3_600_000);
    expect(await silently('ada', adas)).toBe('a code');
    const { signingKeys } = service.service.container.get(OAUTH_TOKENS.oauth);
    await signingKeys.rotate();
    expect(await silently('ada', adas)).toBe('a code');
    service.clock.advance(24 * 3_600_000);
    expect(await silently('ada', adas)).toBe('invalid_request');
  });
});

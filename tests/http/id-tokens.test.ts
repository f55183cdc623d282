import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { describeEachDatabase } from '../support/databases.js';
import { PASSWORD, type FormBrowser } from '../support/form-browser.js';
import { OAuthClient, signedIn } from '../support/oauth-client.js';
import { TestService, type TestUser } from '../support/test-service.js';

describeEachDatabase('an ID token', (openTestDatabase) => {
  let service: TestService;
  let client: OAuthClient;
  let ada: TestUser;
  let person: FormBrowser;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    ada = await service.addUser('ada', { password: PASSWORD });
    person = await signedIn(service, 'ada');
    client = await OAuthClient.register(service);
  });

  afterAll(() => service.close());

  const claimsOf = async (idToken: string | undefined): Promise<Record<string, unknown>> => {
    const keys = createRemoteJWKSet(new URL(`${service.url}/oauth/discovery/keys`));
    const { payload } = await jwtVerify(idToken ?? '', keys, {
      audience: client.id,
      issuer: service.url,
      currentDate: service.clock.now(),
    });
    return payload;
  };

  const userinfo = async (token: string): Promise<Record<string, unknown>> => {
    const answer = await fetch(`${service.url}/oauth/userinfo`, { headers: { Authorization: `Bearer ${token}` } });
    const { profile, ...said } = (await answer.json()) as Record<string, unknown>;
    expect(profile).toBe(`${service.url}/ada`);
    return said;
  };

  const WHO = { name: expect.any(String), nickname: 'ada', preferred_username: 'ada' };
  const ADDRESS = { email: 'ada@example.com', email_verified: true };

  it('says of a person what userinfo says, for a code, a refresh token and a password', async () => {
    const scope = 'openid email';
    const byCode = await client.tokens(person, scope);
    const byRefresh = (await client.refresh(byCode.refresh_token)).body;
    // Within the grace: this one waits for the other, and is found another way.
    const again = (await client.refresh(byCode.refresh_token)).body;
    const byPassword = (await client.token({ grant_type: 'password', username: 'ada', password: PASSWORD, scope }))
      .body;
    for (const { access_token, id_token } of [byRefresh, again, byPassword]) {
      const said = await userinfo(access_token);
      expect(said).toEqual({ sub: String(ada.id), ...WHO, ...ADDRESS });
      expect(await claimsOf(id_token)).toMatchObject(said);
    }
    expect(await claimsOf(byCode.id_token)).toMatchObject({ sub: String(ada.id), ...WHO, ...ADDRESS });
  });

  it('says no address without the scope email, and none of the groups', async () => {
    const { id_token, refresh_token } = await client.tokens(person, 'openid email');
    const fewer = (await client.refresh(refresh_token, { scope: 'openid' })).body;
    const plain = await client.tokens(person, 'openid');
    const header = ['aud', 'auth_time', 'exp', 'iat', 'iss', 'sub'];
    for (const each of [fewer.id_token, plain.id_token])
      expect(Object.keys(await claimsOf(each)).sort()).toEqual([...header, ...Object.keys(WHO)].sort());
    expect(Object.keys(await claimsOf(id_token)).sort()).toEqual(
      [...header, ...Object.keys(WHO), ...Object.keys(ADDRESS)].sort(),
    );
    const deaf = (await client.tokens(person, 'read_user')).id_token;
    expect(deaf).toBeUndefined();
  });

  it('says when the person signed in, also in a browser that a new password was told to spare', async () => {
    await service.addUser('grace', { password: PASSWORD });
    const [here, there] = [await signedIn(service, 'grace'), await signedIn(service, 'grace')];
    const since = Math.floor(service.clock.now().getTime() / 1_000);
    service.clock.advance(60_000);
    const authTime = async () => (await claimsOf((await client.tokens(there, 'openid')).id_token))['auth_time'];
    expect(await authTime()).toBe(since);
    const changed = await here.submit('/profile/account', '/profile/account/password', {
      current_password: PASSWORD,
      password: 'another-password',
      other_sessions: 'keep',
    });
    expect(changed.status).toBe(303);
    expect(await authTime()).toBe(since);
    // What asks for a proof is given none.
    const step = await there.get(client.authorizePath({ scope: 'openid', max_age: '3600' }));
    expect(step.headers.get('location')).toMatch(/^\/users\/sign_in\?/);
  });

  it('says it as it is when the token is made', async () => {
    const { refresh_token } = await client.tokens(person, 'openid');
    const root = await service.addUser('root', { admin: true });
    await service.call('PUT', `/users/${ada.id}`, { token: root.token, json: { name: 'Ada King' } });
    const { id_token } = (await client.refresh(refresh_token)).body;
    expect(await claimsOf(id_token)).toMatchObject({ name: 'Ada King' });
  });
});

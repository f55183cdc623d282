import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { TOKENS } from '../../src/infrastructure/composition/tokens.js';
import { describeEachDatabase } from '../support/databases.js';
import { FormBrowser, PASSWORD } from '../support/form-browser.js';
import { CALLBACK, decide, OAuthClient, signedIn } from '../support/oauth-client.js';
import { TestService } from '../support/test-service.js';

describeEachDatabase('authorization', (openTestDatabase) => {
  let service: TestService;
  let client: OAuthClient;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    await service.addUser('ada', { password: PASSWORD });
    client = await OAuthClient.register(service);
  });

  afterAll(() => service.close());

  it('comes through signing in with every parameter, question marks and all', async () => {
    const person = new FormBrowser(service.url);
    const path = client.authorizePath({ state: undefined }).replace('response_type', 'state=a?b&response_type');
    const toSignIn = (await person.get(path)).headers.get('location') ?? '';
    const returnTo = new URL(toSignIn, service.url).searchParams.get('return_to') ?? '';
    const back = (await person.signIn('ada', PASSWORD, returnTo)).headers.get('location') ?? '';
    const page = await person.get(back);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('name="state" value="a?b"');
  });

  it('takes a request by POST as well, as a client sends it, and costs nobody their session', async () => {
    const post = (fields: string[][], headers: Record<string, string> = {}) =>
      fetch(`${service.url}/oauth/authorize`, {
        method: 'POST',
        headers,
        body: new URLSearchParams(fields as [string, string][]),
        redirect: 'manual',
      });
    const query = new URLSearchParams(client.authorizePath({ state: 'ä&=?#' }).split('?')[1]);
    const asked = await post([...query, ['unknown', 'left out']]);
    const to = asked.headers.get('location') ?? '';
    expect([asked.status, asked.headers.getSetCookie()]).toEqual([303, []]);
    expect(Object.fromEntries(new URL(to, service.url).searchParams)).toEqual(Object.fromEntries(query));
    const person = await signedIn(service, 'ada');
    expect((await decide(person, to)).searchParams.get('state')).toBe('ä&=?#');

    const twice = (await post([...query, ['scope', 'api']])).headers.get('location') ?? '';
    const refused = new URL((await person.get(twice)).headers.get('location') ?? '');
    expect(refused.searchParams.get('error')).toBe('invalid_request');
    const twoTargets = (await post([...query, ['redirect_uri', 'https://evil.test/']])).headers.get('location') ?? '';
    expect((await person.get(twoTargets)).status).toBe(400);

    expect((await post([...query, ['state', 'x'.repeat(8_000)]])).status).toBe(413);
    expect((await post([])).headers.get('location')).toBe('/oauth/authorize?');
  });

  it('refuses request objects, as the metadata says', async () => {
    const person = await signedIn(service, 'ada');
    const refusedWith = async (changes: Record<string, string>) => {
      const { headers } = await person.get(client.authorizePath(changes));
      return new URL(headers.get('location') ?? '').searchParams.get('error');
    };
    expect(await refusedWith({ request: 'e30.e30.' })).toBe('request_not_supported');
    expect(await refusedWith({ request_uri: 'https://app.example/request' })).toBe('request_uri_not_supported');
    const metadata = await (await fetch(`${service.url}/.well-known/openid-configuration`)).json();
    expect(metadata).toMatchObject({ request_parameter_supported: false, request_uri_parameter_supported: false });
  });

  it('asks again after signing in when the session ended while the page was open', async () => {
    const person = await signedIn(service, 'ada');
    const token = await person.formToken(client.authorizePath());
    const [before] = [new Map(person.cookies)];
    await person.post('/users/sign_out', { authenticity_token: token });
    before.forEach((value, name) => person.cookies.set(name, value));
    const fields = {
      client_id: client.id,
      redirect_uri: CALLBACK,
      response_type: 'code',
      scope: 'read_user',
      state: 's',
    };
    const answer = await person.post('/oauth/authorize', {
      ...fields,
      authenticity_token: token,
      decision: 'authorize',
    });
    const location = new URL(answer.headers.get('location') ?? '', service.url);
    expect([answer.status, location.pathname]).toEqual([303, '/users/sign_in']);
    expect(location.searchParams.get('return_to')).toContain(`client_id=${client.id}`);
  });

  it('takes no password for a consent: prompt=none asks for one', async () => {
    const person = await signedIn(service, 'ada');
    await client.token({ grant_type: 'password', username: 'ada', password: PASSWORD, scope: 'api' });
    const silent = async () => {
      const answer = await person.get(client.authorizePath({ prompt: 'none', scope: 'api' }));
      return new URL(answer.headers.get('location') ?? '').searchParams;
    };
    expect((await silent()).get('error')).toBe('consent_required');
    await client.tokens(person, 'api');
    expect((await silent()).get('code')).not.toBeNull();
  });

  it('gives sudo only by an administrator, who may ask for it with the rest', async () => {
    const able = await OAuthClient.register(service, { scopes: 'api sudo' });
    const chief = await service.addUser('chief', { admin: true, password: PASSWORD });
    const person = await signedIn(service, 'ada');
    const refused = async (changes: Record<string, string>) => {
      const { headers } = await person.get(able.authorizePath({ scope: 'api sudo', ...changes }));
      return new URL(headers.get('location') ?? '').searchParams;
    };
    expect((await refused({})).get('error_description')).toBe(
      'Only an administrator can give the scope sudo. Ask without it.',
    );
    expect((await refused({ prompt: 'none' })).get('error')).toBe('invalid_scope');
    expect((await refused({ response_type: 'token' })).get('code')).toBeNull();
    await able.tokens(person, 'api');
    const byPassword = (username: string) =>
      able.token({ grant_type: 'password', username, password: PASSWORD, scope: 'api sudo' });
    const { status, body } = await byPassword('ada');
    expect([status, body]).toEqual([
      400,
      { error: 'invalid_scope', error_description: expect.stringContaining('sudo') },
    ]);

    const root = await signedIn(service, 'chief');
    expect((await able.tokens(root, 'api sudo')).scope).toBe('api sudo');
    expect((await byPassword('chief')).body.scope).toBe('api sudo');
    // A form that was open when they were made an ordinary user.
    const form = { client_id: able.id, redirect_uri: CALLBACK, scope: 'sudo', decision: 'authorize' };
    const authenticity_token = await root.formToken(able.authorizePath({ scope: 'sudo' }));
    const other = await service.addUser('other', { admin: true });
    const demoted = await service.call('PUT', `/users/${chief.id}`, { token: other.token, json: { admin: false } });
    expect(demoted.status).toBe(200);
    for (const response_type of ['code', 'token']) {
      const sent = await root.post('/oauth/authorize', { ...form, response_type, authenticity_token });
      expect(sent.headers.get('location')).toContain('error=invalid_scope');
    }
  });

  it('forgets what was approved and not redeemed yet when the person takes it back', async () => {
    const person = await signedIn(service, 'ada');
    const code = await client.code(person);
    const page = '/profile/applications';
    await person.submit(page, `/profile/authorized_applications/${client.application.id}/revoke`, {});
    expect((await client.redeem(code)).status).toBe(400);
  });

  it('answers a changed password once, over a connection that lives on', async () => {
    await service.addUser('changing', { password: PASSWORD });
    const person = await signedIn(service, 'changing');
    const changed = await person.submit('/profile/account', '/profile/account/password', {
      current_password: PASSWORD,
      password: 'another-password',
    });
    expect([changed.status, changed.headers.get('location')]).toEqual([303, '/profile/account?done=password']);
    expect(service.logger.lines.filter(({ level }) => level === 'error')).toEqual([]);
    expect(await (await person.get('/profile/account?done=password')).text()).toContain('Your password is changed');
  });

  it('leaves neither a code nor a grant where no code was redeemed, once it has expired', async () => {
    const person = await signedIn(service, 'ada');
    const unused = await OAuthClient.register(service, { name: 'Unused' });
    const id = (await service.service.database.reader.query('oauth_applications').where({ uid: unused.id }).first('id'))
      ?.id;
    const left = async () => {
      const { query } = service.service.database.reader;
      const codes = await query('oauth_authorization_codes').where({ application_id: id ?? 0 });
      const grants = await query('oauth_grants').where({ application_id: id ?? 0 });
      return [codes.length, grants.length];
    };
    await unused.code(person);
    expect(await left()).toEqual([1, 0]);
    service.clock.advance(2 * 86_400_000);
    await service.service.container.get(TOKENS.cleanUp)();
    expect(await left()).toEqual([0, 0]);
    service.clock.advance(-2 * 86_400_000);
  });
});

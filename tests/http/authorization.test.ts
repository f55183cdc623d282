import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { TOKENS } from '../../src/infrastructure/composition/tokens.js';
import { describeEachDatabase } from '../support/databases.js';
import { FormBrowser, PASSWORD } from '../support/form-browser.js';
import { CALLBACK, OAuthClient, signedIn } from '../support/oauth-client.js';
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

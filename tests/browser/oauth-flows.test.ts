import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import * as oauth4webapi from 'oauth4webapi';
import * as openid from 'openid-client';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { AuthorizationCode, ResourceOwnerPassword } from 'simple-oauth2';
import { launchBrowser, turnPage } from '../support/browser.js';
import { describeAnyDatabase } from '../support/databases.js';
import { ExternalApplication } from '../support/external-application.js';
import { PASSWORD } from '../support/form-browser.js';
import { keepScreenshot } from '../support/screenshots.js';
import { TestService } from '../support/test-service.js';
import { codeNow, turnOnTwoFactor } from '../support/two-factor.js';

// Loopback has no certificate: the libraries want to be told, by what they mark as deprecated so that it stands out.
/* eslint-disable @typescript-eslint/no-deprecated -- see above */
const OVER_HTTP = { execute: [openid.allowInsecureRequests] };
const INSECURE = { [oauth4webapi.allowInsecureRequests]: true };
/* eslint-enable @typescript-eslint/no-deprecated -- the rest is ordinary */

interface Registered {
  readonly id: string;
  readonly secret: string;
}

describeAnyDatabase('an external application in a browser', (openTestDatabase) => {
  let service: TestService;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let engine: ExternalApplication;
  const complaints: string[] = [];

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    engine = await ExternalApplication.listen();
    browser = await launchBrowser();
    for (const name of ['ada', 'grace']) await service.addUser(name, { password: PASSWORD });
  });

  afterAll(async () => {
    await browser.close();
    await engine.close();
    await service.close();
  });

  beforeEach(async () => {
    context = await browser.newContext({ baseURL: service.url });
    page = await context.newPage();
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        complaints.push(message.text());
    });
  });

  afterEach(async () => {
    await context.close();
    expect(complaints.splice(0)).toEqual([]);
  });

  const submit = (button: string) =>
    turnPage(page, () => page.getByRole('button', { name: button, exact: true }).click());
  const signIn = async (login: string, password = PASSWORD): Promise<void> => {
    await page.getByLabel('Username or email').fill(login);
    await page.getByLabel('Password').fill(password);
    await submit('Sign in');
  };

  /** Registers an application as its author does. */
  const register = async (name: string, scopes: readonly string[], confidential = true): Promise<Registered> => {
    await page.goto('/profile/applications');
    if (page.url().includes('/users/sign_in')) await signIn('ada');
    await page.getByLabel('Name').fill(name);
    await page.getByLabel('Redirect URI').fill(engine.callback.replace(/:\d+\//, '/'));
    await page.getByLabel('Confidential').setChecked(confidential);
    const group = page.getByRole('group', { name: 'Scopes' });
    for (const scope of scopes) await group.getByLabel(scope, { exact: true }).check();
    await submit('Save application');
    const registered = {
      id: await page.getByLabel('Application ID').inputValue(),
      secret: await page.getByLabel('Client Secret').inputValue(),
    };
    service.secrets.push(registered.secret);
    return registered;
  };

  /** From the address that an application sends a person to, to where he ends up. */
  const consent = async (address: string | URL, login = 'grace'): Promise<URL> => {
    await context.clearCookies();
    await page.goto(String(address));
    await signIn(login);
    await submit('Authorize');
    return new URL(page.url());
  };

  const user = async (token: string) => {
    const { body } = await service.call<{ username?: string }>('GET', '/user', {
      headers: { Authorization: `Bearer ${token}` },
    });
    return body.username;
  };

  const discover = ({ id, secret }: Registered) =>
    openid.discovery(new URL(service.url), id, secret, undefined, OVER_HTTP);

  it('signs a person in with openid-client: code, PKCE, ID token, userinfo, refresh, introspection, revocation', async () => {
    const configuration = await discover(await register('Analytical Engine', ['read_user', 'openid', 'email']));
    const pkceCodeVerifier = openid.randomPKCECodeVerifier();
    const expectedState = openid.randomState();
    const expectedNonce = openid.randomNonce();
    const address = openid.buildAuthorizationUrl(configuration, {
      redirect_uri: engine.callback,
      scope: 'openid email read_user',
      code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
      state: expectedState,
      nonce: expectedNonce,
    });
    const back = await consent(address);
    expect(`${back.origin}${back.pathname}`).toBe(engine.callback);
    const tokens = await openid.authorizationCodeGrant(configuration, back, {
      pkceCodeVerifier,
      expectedState,
      expectedNonce,
    });
    const claims = tokens.claims();
    expect(claims).toMatchObject({ iss: service.url, nonce: expectedNonce });
    expect(await user(tokens.access_token)).toBe('grace');
    const info = await openid.fetchUserInfo(configuration, tokens.access_token, claims?.sub ?? '');
    expect(info).toMatchObject({ nickname: 'grace', email: 'grace@example.com', email_verified: true });
    const refreshed = await openid.refreshTokenGrant(configuration, tokens.refresh_token ?? '');
    expect(await openid.tokenIntrospection(configuration, refreshed.access_token)).toMatchObject({
      active: true,
      username: 'grace',
    });
    await openid.tokenRevocation(configuration, refreshed.access_token);
    expect(await openid.tokenIntrospection(configuration, refreshed.access_token)).toEqual({ active: false });
    expect(await user(refreshed.access_token)).toBeUndefined();
  });

  it('signs a person in with oauth4webapi as a public application', async () => {
    const { id } = await register('Pocket Engine', ['read_user'], false);
    const issuer = new URL(service.url);
    const server = await oauth4webapi.processDiscoveryResponse(
      issuer,
      await oauth4webapi.discoveryRequest(issuer, { algorithm: 'oauth2', ...INSECURE }),
    );
    const client = { client_id: id };
    const verifier = oauth4webapi.generateRandomCodeVerifier();
    const state = oauth4webapi.generateRandomState();
    const address = new URL(server.authorization_endpoint ?? '');
    address.search = new URLSearchParams({
      client_id: id,
      redirect_uri: engine.callback,
      response_type: 'code',
      scope: 'read_user',
      state,
      code_challenge: await oauth4webapi.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }).toString();
    const answer = oauth4webapi.validateAuthResponse(server, client, await consent(address), state);
    const authentication = oauth4webapi.None();
    const response = await oauth4webapi.authorizationCodeGrantRequest(
      server,
      client,
      authentication,
      answer,
      engine.callback,
      verifier,
      INSECURE,
    );
    const tokens = await oauth4webapi.processAuthorizationCodeResponse(server, client, response);
    const read = await oauth4webapi.protectedResourceRequest(
      tokens.access_token,
      'GET',
      new URL(`${service.url}/api/v4/user`),
      undefined,
      undefined,
      INSECURE,
    );
    expect(await read.json()).toMatchObject({ username: 'grace' });
    const refreshing = oauth4webapi.refreshTokenGrantRequest(
      server,
      client,
      authentication,
      tokens.refresh_token ?? '',
      INSECURE,
    );
    const refreshed = await oauth4webapi.processRefreshTokenResponse(server, client, await refreshing);
    const revocation = oauth4webapi.revocationRequest(server, client, authentication, refreshed.access_token, INSECURE);
    await oauth4webapi.processRevocationResponse(await revocation);
    expect(await user(refreshed.access_token)).toBeUndefined();
  });

  const endpoints = () => ({
    tokenHost: service.url,
    tokenPath: '/oauth/token',
    authorizePath: '/oauth/authorize',
    revokePath: '/oauth/revoke',
  });

  it('signs a person in with simple-oauth2: code without PKCE, refresh, revocation', async () => {
    const client = await register('Difference Engine', ['read_user', 'api']);
    const flow = new AuthorizationCode({ client, auth: endpoints() });
    const back = await consent(flow.authorizeURL({ redirect_uri: engine.callback, scope: 'read_user', state: 'xyz' }));
    expect(back.searchParams.get('state')).toBe('xyz');
    const tokens = await flow.getToken({ code: back.searchParams.get('code') ?? '', redirect_uri: engine.callback });
    expect(tokens.token).toMatchObject({ token_type: 'bearer', expires_in: 7_200, scope: 'read_user' });
    const refreshed = await tokens.refresh();
    expect(await user(String(refreshed.token['access_token']))).toBe('grace');
    await refreshed.revoke('access_token');
    expect(await user(String(refreshed.token['access_token']))).toBeUndefined();
  });

  it('takes a password with simple-oauth2, without a refresh token', async () => {
    const client = await register('First Party', ['api']);
    const flow = new ResourceOwnerPassword({ client, auth: { tokenHost: service.url, tokenPath: '/oauth/token' } });
    const { token } = await flow.getToken({ username: 'grace@example.com', password: PASSWORD });
    expect(token).toMatchObject({ scope: 'api' });
    expect(token).not.toHaveProperty('refresh_token');
    expect(await user(String(token['access_token']))).toBe('grace');
    await expect(flow.getToken({ username: 'grace', password: 'wrong' })).rejects.toThrow(/400|Bad Request/);
  });

  it('is handed a token by the implicit flow, and checks whom it was made for', async () => {
    const { id } = await register('Old Engine', ['read_user']);
    const address = `/oauth/authorize?client_id=${id}&redirect_uri=${encodeURIComponent(engine.callback)}&response_type=token&scope=read_user&state=s`;
    const fragment = new URLSearchParams((await consent(address)).hash.slice(1));
    expect(Object.fromEntries(fragment)).toMatchObject({ token_type: 'bearer', expires_in: '7200', state: 's' });
    const token = fragment.get('access_token') ?? '';
    const info = await fetch(`${service.url}/oauth/token/info?access_token=${token}`);
    expect(await info.json()).toMatchObject({ application: { uid: id }, scope: ['read_user'] });
    expect(await user(token)).toBe('grace');
  });

  it('is told when a person says no, and he when his password is wrong', async () => {
    const configuration = await discover(await register('Weather Engine', ['read_user']));
    const address = openid.buildAuthorizationUrl(configuration, {
      redirect_uri: engine.callback,
      scope: 'read_user',
      state: 'no',
    });
    await context.clearCookies();
    await page.goto(address.href);
    await signIn('grace', 'wrong');
    await page.getByText('Wrong user name or password').waitFor();
    await signIn('grace');
    await page.getByText('read your profile and those of others').waitFor();
    await keepScreenshot(page, 'consent');
    await submit('Deny');
    const back = new URL(page.url());
    expect(Object.fromEntries(back.searchParams)).toMatchObject({
      error: 'access_denied',
      state: 'no',
      iss: service.url,
    });
    await expect(openid.authorizationCodeGrant(configuration, back, { expectedState: 'no' })).rejects.toThrow();
  });

  it('may send people on to another host of its own, from its callback', async () => {
    const gate = await ExternalApplication.listen(engine.callback);
    try {
      const { id } = await register('Two-storied Engine', ['read_user']);
      const address = (decision: string) =>
        `/oauth/authorize?client_id=${id}&redirect_uri=${encodeURIComponent(gate.callback)}&response_type=code&scope=read_user&state=${decision}`;
      expect((await consent(address('yes'))).href).toBe(engine.callback);
      await page.goto(address('no'));
      await submit('Deny');
      expect(page.url()).toBe(engine.callback);
    } finally {
      await gate.close();
    }
  });

  it('is told what was wrong with its request once the person has signed in, and not before', async () => {
    const { id } = await register('Mistaken Engine', ['read_user']);
    const address = `/oauth/authorize?client_id=${id}&redirect_uri=${encodeURIComponent(engine.callback)}&response_type=code&scope=api&state=wrong`;
    await context.clearCookies();
    await page.goto(address);
    expect(new URL(page.url()).pathname).toBe('/users/sign_in');
    await signIn('grace');
    await page.waitForURL(`${engine.callback}?**`);
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toMatchObject({
      error: 'invalid_scope',
      state: 'wrong',
    });
    await page.goto(address);
    expect(new URL(page.url()).searchParams.get('error')).toBe('invalid_scope');
  });

  it('waits for the second factor of a person who has one', async () => {
    const hopper = await service.addUser('hopper', { password: PASSWORD });
    const secret = await turnOnTwoFactor(service, hopper.id);
    const configuration = await discover(await register('Careful Engine', ['read_user']));
    const address = openid.buildAuthorizationUrl(configuration, { redirect_uri: engine.callback, scope: 'read_user' });
    await context.clearCookies();
    await page.goto(address.href);
    await signIn('hopper');
    service.clock.advance(30_000);
    await page.getByLabel('Authentication code').fill(codeNow(service, secret));
    await submit('Verify');
    await submit('Authorize');
    const tokens = await openid.authorizationCodeGrant(configuration, new URL(page.url()));
    expect(await user(tokens.access_token)).toBe('hopper');
  });

  it('is waved through by prompt=none once approved, and has people sign in anew by prompt=login', async () => {
    const configuration = await discover(await register('Silent Engine', ['read_user']));
    const ask = (prompt: string) =>
      openid.buildAuthorizationUrl(configuration, { redirect_uri: engine.callback, scope: 'read_user', prompt }).href;
    await page.goto(ask('none'));
    expect(new URL(page.url()).searchParams.get('error')).toBe('consent_required');
    await page.goto(ask('login'));
    await signIn('ada');
    await submit('Authorize');
    await openid.authorizationCodeGrant(configuration, new URL(page.url()));
    await page.goto(ask('none'));
    await openid.authorizationCodeGrant(configuration, new URL(page.url()));
    await context.clearCookies();
    await page.goto(ask('none'));
    expect(new URL(page.url()).searchParams.get('error')).toBe('login_required');
  });

  it('loses its access when the person takes it back, or its author deletes it', async () => {
    const configuration = await discover(await register('Brief Engine', ['read_user']));
    const connect = async () => {
      const address = openid.buildAuthorizationUrl(configuration, {
        redirect_uri: engine.callback,
        scope: 'read_user',
      });
      await page.goto(address.href);
      await submit('Authorize');
      return (await openid.authorizationCodeGrant(configuration, new URL(page.url()))).access_token;
    };
    const token = await connect();
    expect(await user(token)).toBe('ada');
    await page.goto('/profile/applications');
    await keepScreenshot(page, 'applications');
    await page.getByRole('link', { name: 'Revoke Brief Engine' }).click();
    await submit('Revoke access');
    expect(await user(token)).toBeUndefined();
    expect(await page.getByRole('link', { name: 'Revoke Brief Engine' }).count()).toBe(0);

    const again = await connect();
    expect(await user(again)).toBe('ada');
    await page.goto('/profile/applications');
    await page.getByRole('link', { name: 'Brief Engine', exact: true }).click();
    const old = await page.getByLabel('Application ID').inputValue();
    await submit('Renew secret');
    expect(await page.getByLabel('Client Secret').inputValue()).not.toBe('');
    await expect(openid.refreshTokenGrant(configuration, 'any')).rejects.toMatchObject({ status: 401 });
    await page.reload();
    expect(await page.getByLabel('Client Secret').count()).toBe(0);
    await page.getByLabel('Name').fill('Renamed Engine');
    await submit('Save application');
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Renamed Engine');
    expect(await page.getByLabel('Application ID').inputValue()).toBe(old);
    await page.getByRole('link', { name: 'Delete application' }).click();
    await submit('Delete application');
    expect(await user(again)).toBeUndefined();
  });

  it('is registered by keyboard alone, told beside the fields what is wrong, and readable on a phone', async () => {
    const phone = await browser.newContext({ baseURL: service.url, viewport: { width: 360, height: 740 } });
    page = await phone.newPage();
    await page.goto('/profile/applications');
    await signIn('ada');
    await page.getByLabel('Name').focus();
    await page.keyboard.type('Typed Engine');
    await page.keyboard.press('Tab');
    await page.keyboard.type('javascript:alert(1)');
    await submit('Save application');
    await page.getByText('The redirect URI is forbidden by the server.').waitFor();
    await page.getByText("The scopes can't be blank").waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('Typed Engine');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    await phone.close();
  });
});

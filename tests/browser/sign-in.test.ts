import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { launchBrowser, turnPage } from '../support/browser.js';
import { describeAnyDatabase } from '../support/databases.js';
import { queuedMails } from '../support/queued-mails.js';
import { keepScreenshot } from '../support/screenshots.js';
import { TestService, type TestUser } from '../support/test-service.js';
import { codeNow } from '../support/two-factor.js';

const PASSWORD = 'a-difference-engine';
const HALF_MINUTE = 30_000;

describeAnyDatabase('a person in a browser', (openTestDatabase) => {
  let service: TestService;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let ada: TestUser;
  const complaints: string[] = [];

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    browser = await launchBrowser();
    ada = await service.addUser('ada', { password: PASSWORD });
    const grace = await service.addUser('grace', { password: PASSWORD });
    await service.call('POST', '/groups', {
      token: grace.token,
      json: { name: 'Navy', path: 'navy', visibility: 'public' },
    });
    await service.call('POST', '/projects', {
      token: grace.token,
      json: {
        name: 'Compiler <b>A-0</b>',
        path: 'compiler',
        visibility: 'public',
        description: '<script>alert(1)</script>',
      },
    });
    await service.call('POST', '/projects', { token: grace.token, json: { name: 'Secret', path: 'secret' } });
  });

  afterAll(async () => {
    await browser.close();
    await service.close();
  });

  beforeEach(async () => {
    context = await browser.newContext({ baseURL: service.url });
    page = await context.newPage();
    page.on('console', (message) => {
      // A refused form is an answer of 4xx, which the browser notes as well.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
  });

  afterEach(async () => {
    await context.close();
    expect(complaints.splice(0)).toEqual([]);
  });

  const signIn = async (login: string, password = PASSWORD): Promise<void> => {
    await page.goto('/users/sign_in');
    await page.getByLabel('Username or email').fill(login);
    await page.getByLabel('Password').fill(password);
    await submit('Sign in');
  };
  /** Presses a button and waits for the page that answers. */
  const submit = (button: string) => turnPage(page, () => page.getByRole('button', { name: button }).click());
  const signOut = async (): Promise<void> => {
    await page.locator('details.menu > summary').click();
    await submit('Sign out');
  };
  const heading = () => page.getByRole('heading', { level: 1 }).textContent();
  const codeFor = (secret: string) => codeNow(service, secret);

  it('signs in by keyboard alone, by name or address, and is led to the page asked for', async () => {
    await page.goto('/profile/emails');
    expect(new URL(page.url()).pathname).toBe('/users/sign_in');
    await page.locator('#login:focus').waitFor();
    await page.keyboard.type('ada@example.com');
    await page.keyboard.press('Tab');
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/profile/emails');
    expect(await heading()).toBe('E-mail addresses');
  });

  it('is told of a wrong password without learning who exists', async () => {
    await signIn('ada', 'wrong-password');
    const known = await page.getByRole('alert').textContent();
    expect(await page.getByLabel('Username or email').inputValue()).toBe('ada');
    await signIn('nobody', 'wrong-password');
    expect(await page.getByRole('alert').textContent()).toBe(known);
  });

  it('signs out, and the session is over', async () => {
    await signIn('ada');
    await signOut();
    await page.goto('/profile/account');
    expect(await heading()).toBe('Sign in');
  });

  it('makes a personal access token that the API takes, and revokes it', async () => {
    await signIn('ada');
    await page.goto('/profile/personal_access_tokens');
    await page.getByLabel('Name').fill('from a browser');
    await page
      .getByRole('group', { name: 'Scopes' })
      .getByLabel(/read_user/)
      .check();
    await page.getByRole('button', { name: 'Create token' }).click();
    const token = await page.getByLabel('Your new token, shown this once').inputValue();
    service.secrets.push(token);
    expect((await service.call('GET', '/user', { token })).body).toMatchObject({ username: 'ada' });
    await page.reload();
    expect(await page.content()).not.toContain(token);
    await page.getByRole('link', { name: 'Revoke from a browser' }).click();
    await submit('Revoke token');
    await page.getByText('Token “from a browser” revoked.').waitFor();
    expect((await service.call('GET', '/user', { token })).status).toBe(401);
  });

  it('is asked for the password again after ten minutes, by keyboard alone, and loses nothing typed', async () => {
    await signIn('ada');
    await page.goto('/profile/personal_access_tokens');
    await page.getByLabel('Name').fill('typed "before" <b>');
    await page
      .getByRole('group', { name: 'Scopes' })
      .getByLabel(/read_user/)
      .check();
    service.clock.advance(11 * 60_000);
    await submit('Create token');
    expect(await heading()).toBe('Confirm that it is you');
    await keepScreenshot(page, 'confirm-identity', 480);
    await page.locator('#current_password:focus').waitFor();
    await page.keyboard.type('wrong');
    await turnPage(page, () => page.keyboard.press('Enter'));
    await page.getByText('The password is not right').waitFor();
    expect(await page.getByLabel('Your password').getAttribute('aria-describedby')).toBe('current_password-problem');
    await page.getByLabel('Your password').fill(PASSWORD);
    await submit('Confirm');
    service.secrets.push(await page.getByLabel('Your new token, shown this once').inputValue());
    await page.getByRole('cell', { name: 'typed "before" <b>', exact: true }).waitFor();
    await page.goto('/profile/account');
    await page.getByText('A personal access token was made: typed "before" <b>').waitFor();
  });

  it('is told beside the fields what a token lacks', async () => {
    await signIn('ada');
    await page.goto('/profile/personal_access_tokens');
    await page.getByLabel('Name').fill('nothing');
    await page.getByRole('button', { name: 'Create token' }).click();
    await page.getByText("The scopes can't be blank").waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('nothing');
  });

  it('finds people, groups and projects, shown as text and never run', async () => {
    await signIn('ada');
    await page.getByRole('link', { name: 'Projects', exact: true }).click();
    await page.getByRole('link', { name: 'Compiler <b>A-0</b>' }).click();
    expect(await heading()).toBe('Compiler <b>A-0</b>');
    await page.getByText('<script>alert(1)</script>').waitFor();
    await page.getByRole('link', { name: 'Groups', exact: true }).click();
    await page.getByRole('link', { name: 'Navy' }).click();
    expect(await heading()).toBe('Navy');
    await page.getByRole('link', { name: 'Members' }).click();
    await page.getByRole('link', { name: 'grace Example' }).click();
    expect(new URL(page.url()).pathname).toBe('/grace');
    await page.getByRole('link', { name: 'People', exact: true }).click();
    await page.getByRole('link', { name: 'ada Example' }).waitFor();
  });

  it('does not find what is not for him to see, and every address that the API sends opens', async () => {
    await signIn('ada');
    expect((await page.goto('/grace/secret'))?.status()).toBe(404);
    expect(await heading()).toBe('Not found');
    const { body } = await service.call<{ web_url: string; namespace: { web_url: string } }>(
      'GET',
      '/projects/grace%2Fcompiler',
      {
        token: (await service.addUser('stranger')).token,
      },
    );
    for (const url of [body.web_url, body.namespace.web_url]) expect((await page.goto(url))?.status()).toBe(200);
  });

  it('needs no script', async () => {
    const plain = await browser.newContext({ baseURL: service.url, javaScriptEnabled: false });
    page = await plain.newPage();
    await signIn('ada');
    expect(await heading()).toBe('Hello, ada Example');
    await plain.close();
  });

  it('reads everything on a phone: nothing is wider than the screen', async () => {
    const phone = await browser.newContext({ baseURL: service.url, viewport: { width: 360, height: 740 } });
    page = await phone.newPage();
    await signIn('grace');
    for (const path of [
      '/',
      '/explore/projects',
      '/grace/compiler',
      '/profile/account',
      '/profile/emails',
      '/profile/personal_access_tokens',
    ]) {
      await page.goto(path);
      expect([path, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([path, 360]);
    }
    await phone.close();
  });

  describe('with two-factor authentication', () => {
    it('turns it on, signs in with a code once, with a recovery code once, and turns it off', async () => {
      const hopper = await service.addUser('hopper', { password: PASSWORD });
      await signIn('hopper');
      await page.goto('/profile/account');
      await page.getByRole('link', { name: 'Turn on two-factor authentication' }).click();
      const secret = ((await page.locator('#key').textContent()) ?? '').replaceAll(' ', '');
      await page.getByLabel('Authentication code').fill('000000');
      await submit('Verify');
      await page.getByText('The code is not the one').waitFor();
      await page.getByLabel('Authentication code').fill(codeFor(secret));
      await submit('Verify');
      const [recoveryCode] = await page.locator('.codes code').allTextContents();
      expect(await page.locator('.codes code').count()).toBe(10);
      await signOut();

      const verify = async (code: string) => {
        await signIn('hopper');
        await page.getByLabel('Authentication code').fill(code);
        await submit('Verify');
        return heading();
      };
      service.clock.advance(HALF_MINUTE);
      const code = codeFor(secret);
      expect(await verify(code)).toBe('Hello, hopper Example');
      await signOut();
      expect(await verify(code)).toBe('Two-factor authentication');
      await page.getByText('wrong or was used already').first().waitFor();
      expect(await verify(recoveryCode!)).toBe('Hello, hopper Example');
      await signOut();
      expect(await verify(recoveryCode!)).toBe('Two-factor authentication');
      expect((await page.goto('/profile/account'))?.url()).toContain('/users/sign_in');

      service.clock.advance(HALF_MINUTE);
      await verify(codeFor(secret));
      await page.goto('/profile/account');
      await page.getByRole('button', { name: 'Turn it off' }).click();
      await page.locator('#current_password:focus').waitFor();
      await page.keyboard.type(PASSWORD);
      await page.getByLabel('Code of your authenticator').fill(codeFor(secret));
      await submit('Confirm');
      await page.getByText('The code is wrong or was used already').waitFor();
      service.clock.advance(HALF_MINUTE);
      await page.getByLabel('Your password').fill(PASSWORD);
      await page.getByLabel('Code of your authenticator').fill(codeFor(secret));
      await submit('Confirm');
      await page.getByText('Two-factor authentication is off.').waitFor();
      expect((await service.call('GET', '/user', { token: hopper.token })).body).toMatchObject({
        two_factor_enabled: false,
      });
    });
  });

  it('who forgot the password gets a link by mail, sets a new one with it once, and is signed out elsewhere', async () => {
    await service.addUser('alan', { password: PASSWORD });
    await signIn('alan');
    const elsewhere = await browser.newContext({ baseURL: service.url });
    const other = page;
    page = await elsewhere.newPage();
    await page.goto('/users/password/new');
    await page.getByLabel('Email').fill('alan@example.com');
    await page.getByRole('button', { name: 'Send me a link' }).click();
    await page.getByRole('status').waitFor();
    const link = await lastMailedLink();
    await page.goto(link);
    await page.getByLabel('New password').fill('short');
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.getByText('The password is too short').waitFor();
    await page.getByLabel('New password').fill('an-enigma-machine');
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.getByText('Your password is set.').waitFor();
    await signIn('alan', 'an-enigma-machine');
    expect(await heading()).toBe('Hello, alan Example');
    await other.goto('/profile/account');
    expect(other.url()).toContain('/users/sign_in');
    expect((await page.goto(link))?.status()).toBe(400);
    await page.getByText('expired or was used already').waitFor();
    expect(await page.getByLabel('New password').count()).toBe(0);
    await elsewhere.close();
  });

  it('adds an address, confirms it by the mailed link and makes it the primary one', async () => {
    await signIn('ada');
    await page.goto('/profile/emails');
    await page.getByLabel('Email').fill('countess@example.com');
    await page.getByRole('button', { name: 'Add' }).click();
    await page.getByText('not confirmed').waitFor();
    await page.goto(await lastMailedLink());
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('countess@example.com is confirmed.').waitFor();
    const token = await service.addToken(ada.id, ['api']);
    await service.call('POST', '/user/emails', { token, json: { email: 'engine@example.com' } });
    await page.goto(await lastMailedLink());
    await submit('Confirm');
    await page.goto('/profile/emails');
    await keepScreenshot(page, 'emails', 820);
    await submit('Allow password resets by engine@example.com');
    expect(await page.getByText('It gets notifications, and no link').count()).toBe(0);
    await page.getByRole('link', { name: 'Remove engine@example.com' }).click();
    await submit('Remove address');
    await page.getByRole('button', { name: 'Make primary countess@example.com' }).click();
    await page.getByRole('link', { name: 'Remove ada@example.com' }).click();
    await submit('Remove address');
    expect(await page.getByRole('link', { name: /Remove/ }).count()).toBe(0);
  });

  const lastMailedLink = async (): Promise<string> => {
    const mails = await queuedMails(service);
    return mails.filter(({ template }) => template !== 'security_notice').at(-1)?.content['link'] ?? '';
  };
});

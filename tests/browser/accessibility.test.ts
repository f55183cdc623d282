import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../support/browser.js';
import { describeAnyDatabase } from '../support/databases.js';
import { makesFor } from '../support/filled-project.js';
import { PASSWORD } from '../support/form-browser.js';
import { examine } from '../support/page-survey.js';
import { TestService } from '../support/test-service.js';
import { turnOnTwoFactor } from '../support/two-factor.js';

/** Beside `every-page.test.ts`: what no link leads to. */
describeAnyDatabase('everybody can use the pages', (openTestDatabase) => {
  let service: TestService;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    const ada = await service.addUser('ada', { password: PASSWORD });
    await makesFor(service, ada)('/projects', { name: 'Engine', path: 'engine' });
    const grace = await service.addUser('grace', { password: PASSWORD });
    await turnOnTwoFactor(service, grace.id);
    browser = await launchBrowser();
  });
  beforeEach(async () => {
    page = await (await browser.newContext({ baseURL: service.url })).newPage();
  });
  afterAll(async () => {
    await browser.close();
    await service.close();
  });

  const signIn = async (name: string): Promise<void> => {
    await page.goto('/users/sign_in');
    await page.getByLabel('Username or email').fill(name);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
  };

  it('where nothing is: to a visitor and to somebody who is signed in', async () => {
    expect((await page.goto('/nothing/here'))?.status()).toBe(404);
    expect(await examine(page)).toEqual([]);
    await signIn('ada');
    await page.getByRole('heading', { name: 'Hello, ada Example' }).waitFor();
    expect((await page.goto('/nothing/here'))?.status()).toBe(404);
    expect(await examine(page)).toEqual([]);
  });

  it('at the second step of a sign-in', async () => {
    await signIn('grace');
    await page.waitForURL('**/users/sign_in/verify');
    expect(await examine(page)).toEqual([]);
  });

  it('with a form that was refused: the summary has the focus and leads to the field', async () => {
    await signIn('ada');
    await page.getByRole('heading', { name: 'Hello, ada Example' }).waitFor();
    await page.goto('/ada/engine/-/issues/new');
    await page.getByLabel('Title').fill(' ');
    await page.getByLabel('Due date').fill('2027-01-01');
    await page.getByRole('button', { name: 'Create issue' }).click();
    await page.locator('#problems:focus').waitFor();
    expect(new URL(page.url()).pathname).toBe('/ada/engine/-/issues/new');
    expect(await page.getByLabel('Due date').inputValue()).toBe('2027-01-01');
    await page.getByRole('link', { name: /blank/ }).click();
    await page.locator('#title:focus').waitFor();
    expect(await examine(page)).toEqual([]);
  });

  it('where a deploy token is shown once, to be copied', async () => {
    await signIn('ada');
    await page.getByRole('heading', { name: 'Hello, ada Example' }).waitFor();
    await page.goto('/ada/engine/-/settings/deploy_tokens');
    await page.getByLabel('Name', { exact: true }).fill('Server');
    await page.getByRole('button', { name: 'Make deploy token' }).click();
    const token = page.getByLabel('Your new token, shown this once');
    await token.waitFor();
    await page.getByRole('button', { name: 'Copy the token' }).click();
    await page.getByText('Copied', { exact: true }).waitFor();
    expect(await examine(page)).toEqual([]);
    await page.reload();
    await page.getByText('never used').waitFor();
    expect(await token.count()).toBe(0);
  });

  it('where an access token is made, rotated after a question, and shown once each time', async () => {
    await signIn('ada');
    await page.getByRole('heading', { name: 'Hello, ada Example' }).waitFor();
    await page.goto('/ada/engine/-/settings/access_tokens');
    await page.getByLabel('Name', { exact: true }).fill('Robot');
    await page.getByLabel('Level').selectOption('Developer');
    await page.getByLabel('read_api').check();
    await page.getByRole('button', { name: 'Make access token' }).click();
    const token = page.getByLabel('Your new token, shown this once');
    await token.waitFor();
    expect(await examine(page)).toEqual([]);
    const first = await token.inputValue();
    await page.getByRole('link', { name: 'Rotate Robot' }).click();
    await page.getByRole('heading', { name: 'Rotate the access token Robot?' }).waitFor();
    await page.getByRole('button', { name: 'Rotate token' }).click();
    await page.getByText('Access token “Robot” rotated.').waitFor();
    expect(await token.inputValue()).not.toBe(first);
    expect(await examine(page)).toEqual([]);
  });
});

import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { carrySession } from '../support/browser-session.js';
import { launchBrowser, turnPage } from '../support/browser.js';
import { describeAnyDatabase } from '../support/databases.js';
import { keepScreenshot } from '../support/screenshots.js';
import { TestService, type TestUser } from '../support/test-service.js';

const SETTINGS = '/ada/engine/-/settings/operations/error_tracking';
const API_URL = 'https://errors.example/api/0/projects/team/analytical-engine';

describeAnyDatabase('a maintainer in a browser', (openTestDatabase) => {
  let service: TestService;
  let ada: TestUser;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let section: Locator;
  const complaints: string[] = [];

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    browser = await launchBrowser();
    ada = await service.addUser('ada');
    await service.call('POST', '/projects', { token: ada.token, json: { name: 'engine' } });
  });

  afterAll(async () => {
    await browser.close();
    await service.close();
  });

  beforeEach(async () => {
    // As on a phone, in the dark, where nothing runs scripts.
    context = await browser.newContext({
      baseURL: service.url,
      viewport: { width: 360, height: 740 },
      colorScheme: 'dark',
      javaScriptEnabled: false,
    });
    await carrySession(context, service, ada);
    page = await context.newPage();
    page.on('console', (message) => {
      // A refused form is an answer of 4xx, which the browser notes as well.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        complaints.push(message.text());
    });
    section = page.getByRole('main');
    await page.goto(SETTINGS);
  });

  afterEach(async () => {
    await context.close();
    expect(complaints.splice(0)).toEqual([]);
  });

  const submit = (button: Locator) => turnPage(page, () => button.click());
  const save = () => submit(section.getByRole('button', { name: 'Save changes' }));

  it('configures error tracking, is told beside the field what is wrong, and never sees the token again', async () => {
    await section.getByLabel('API URL').fill('http://169.254.169.254/latest');
    await section.getByLabel('Auth token').fill('tracker-token');
    await save();
    const problem = await section.getByText('The API URL leads to a private or reserved network').getAttribute('id');
    const apiUrl = section.getByLabel('API URL');
    expect([await apiUrl.getAttribute('aria-describedby'), await apiUrl.getAttribute('aria-invalid')]).toEqual([
      `tracker_api_url-help ${problem ?? ''}`,
      'true',
    ]);
    expect(await apiUrl.inputValue()).toBe('http://169.254.169.254/latest');
    expect(await section.getByLabel('Auth token').inputValue()).toBe('');

    await apiUrl.fill(API_URL);
    await section.getByLabel('Auth token').fill('tracker-token');
    await save();
    expect(await page.getByRole('status').textContent()).toBe('Settings of error tracking saved.');
    expect(new URL(page.url()).pathname).toBe(SETTINGS);
    await section.getByText('One is stored and never shown.').waitFor();
    expect(await page.content()).not.toContain('tracker-token');

    await section.getByLabel('Active').uncheck();
    await section.getByLabel('Project name').fill('Mill');
    await save();
    await section.getByText('One is stored and never shown.').waitFor();
    const { body } = await service.call('GET', '/projects/ada%2Fengine/error_tracking/settings', { token: ada.token });
    expect(body).toMatchObject({ active: false, project_name: 'Mill', api_url: API_URL });

    await page.setViewportSize({ width: 900, height: 640 });
    await page.emulateMedia({ colorScheme: 'light' });
    await page.goto(SETTINGS);
    await keepScreenshot(page, 'error-tracking');
  });

  it('reads the page on a phone, in the dark', async () => {
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  });
});

import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { TOKENS } from '../../src/infrastructure/composition/tokens.js';
import { launchBrowser, turnPage } from '../support/browser.js';
import { describeEachDatabase } from '../support/databases.js';
import { PASSWORD } from '../support/form-browser.js';
import { keepScreenshot } from '../support/screenshots.js';
import { TestService, type TestUser } from '../support/test-service.js';

describeEachDatabase('notifications in a browser', (openTestDatabase) => {
  let service: TestService;
  let browser: Browser;
  let page: Page;
  let ada: TestUser;
  let issue: string;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    browser = await launchBrowser();
    ada = await service.addUser('ada', { password: PASSWORD });
    const grace = await service.addUser('grace');
    const create = async (path: string, json: object) =>
      (await service.call<{ id: number; iid: number }>('POST', path, { token: grace.token, json })).body;
    const group = await create('/groups', { name: 'Engines', path: 'engines', visibility: 'public' });
    const project = await create('/projects', { name: 'Difference', namespace_id: group.id, visibility: 'public' });
    const { iid } = await create(`/projects/${project.id}/issues`, { title: 'Cogs <b>jam</b>' });
    issue = `/engines/difference/-/issues/${iid}`;
    await service.service.container.get(TOKENS.unitOfWork).execute(async ({ emails }) => {
      const address = { userId: ada.id, primary: false, createdAt: service.clock.now() };
      await emails.add({
        ...address,
        address: 'ada@lovelace.example',
        confirmedAt: service.clock.now(),
        recoverySince: null,
      });
      await emails.add({ ...address, address: 'unconfirmed@example.com', confirmedAt: null, recoverySince: null });
    });
    // Without scripts: every page has to do.
    const context = await browser.newContext({ baseURL: service.url, javaScriptEnabled: false });
    page = await context.newPage();
    await page.goto('/users/sign_in');
    await page.getByLabel('Username or email').fill('ada');
    await page.getByLabel('Password').fill(PASSWORD);
    await press('Sign in');
  });

  afterAll(async () => {
    await browser.close();
    await service.close();
  });

  const press = (button: string) =>
    turnPage(page, () => page.getByRole('button', { name: button, exact: true }).click());
  const settings = async (path = '') =>
    (await service.call(`GET`, `${path}/notification_settings`, { token: ada.token })).body;

  it('are chosen: the address among the confirmed ones, the level and the events', async () => {
    await page.goto('/profile/account');
    await page.getByRole('link', { name: 'Notifications' }).click();
    expect(await page.getByLabel('Mail goes to').locator('option').allTextContents()).toEqual([
      'ada@example.com',
      'ada@lovelace.example',
    ]);
    expect(await page.getByLabel('Level').inputValue()).toBe('participating');
    await page.getByLabel('Mail goes to').selectOption('ada@lovelace.example');
    await page.getByLabel('Level').selectOption('custom');
    await page.getByLabel('New comment').check();
    await page.getByLabel('Project moved').uncheck();
    await press('Save');
    expect(await page.getByRole('status').textContent()).toBe('Your notifications are saved.');
    expect(await page.getByLabel('New comment').isChecked()).toBe(true);
    expect(await settings()).toMatchObject({
      level: 'custom',
      notification_email: 'ada@lovelace.example',
      events: { new_note: true, moved_project: false, new_issue: false, failed_pipeline: true },
    });
  });

  it('are chosen for a group and a project, which are listed, and whatever is neither is said so beside the field', async () => {
    for (const [path, level] of [
      ['engines', 'mention'],
      ['engines/difference', 'watch'],
    ] as const) {
      await page.goto('/profile/notifications');
      await page.getByLabel('Path of a group or project').fill(path);
      await press('Choose');
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(`Notifications of ${path}`);
      expect(await page.getByLabel('Level').inputValue()).toBe('global');
      await page.getByLabel('Level').selectOption(level);
      await press('Save');
    }
    expect(await settings('/groups/engines')).toEqual({ level: 'mention' });
    expect(await settings('/projects/engines%2Fdifference')).toEqual({ level: 'watch' });
    await page.goto('/profile/notifications');
    expect(await page.locator('ul.cards li a').allTextContents()).toEqual(['engines', 'engines/difference']);
    await keepScreenshot(page, 'notifications');
    await page.getByLabel('Path of a group or project').fill('nobody/nothing');
    await press('Choose');
    expect(await page.locator('#path-problem').textContent()).toContain('is no group or project that you may see');
  });

  it('of one issue are subscribed to and unsubscribed from on its page', async () => {
    await page.goto(issue);
    await press('Subscribe');
    await page.locator('#subscription-help', { hasText: 'You follow this issue.' }).waitFor();
    await press('Unsubscribe');
    await page.locator('#subscription-help', { hasText: 'You do not follow this issue.' }).waitFor();
  });

  it('fit a phone, light and dark', async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const path of ['/profile/notifications', '/profile/notifications/groups/engines', issue]) {
        await page.goto(path);
        expect([path, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([path, 360]);
      }
    }
  });
});

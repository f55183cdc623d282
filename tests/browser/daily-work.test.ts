import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { launchBrowser } from '../support/browser.js';
import { describeAnyDatabase } from '../support/databases.js';
import { PASSWORD } from '../support/form-browser.js';
import { withGit } from '../support/git.js';
import { TestService, type TestUser } from '../support/test-service.js';

const TASKS =
  '- [ ] Oil the gears\n- [x] Find the oil\n\n<details><summary>Why</summary>\n\nThey grind :tada:\n</details>';

withGit('what a team does every day', () => {
  describeAnyDatabase('what a team does every day', (openTestDatabase) => {
    let service: TestService;
    let browser: Browser;
    let ada: TestUser;
    const complaints: string[] = [];
    const contexts: BrowserContext[] = [];

    const call = <Body = unknown>(path: string, json: object, method = 'POST') =>
      service.call<Body>(method, `/projects/ada%2Fmill${path}`, { token: ada.token, json });
    const commit = (branch: string, files: Readonly<Record<string, string>>, action = 'create', more: object = {}) =>
      call('/repository/commits', {
        branch,
        commit_message: `Write ${branch}`,
        actions: Object.entries(files).map(([file_path, content]) => ({ action, file_path, content })),
        ...more,
      });

    beforeAll(async () => {
      service = await TestService.start(await openTestDatabase());
      ada = await service.addUser('ada', { password: PASSWORD });
      await service.call('POST', '/projects', { token: ada.token, json: { name: 'mill' } });
      await commit('main', { 'gears.txt': 'twelve\n' });
      await commit('wheels', { 'wheels.txt': 'two\n', 'axle.txt': 'one\n' }, 'create', { start_branch: 'main' });
      await commit('axles', { 'wheels.txt': 'two\n', 'axle.txt': 'one\n' }, 'create', { start_branch: 'main' });
      await commit('pumps', { 'pumps.txt': 'three\n' }, 'create', { start_branch: 'main' });
      await call('/issues', { title: 'It grinds', description: TASKS });
      browser = await launchBrowser();
    });

    afterEach(async () => {
      expect(complaints.splice(0)).toEqual([]);
      for (const context of contexts.splice(0)) await context.close();
    });

    afterAll(async () => {
      await browser.close();
      await service.close();
    });

    const signIn = async (path: string, javaScriptEnabled: boolean): Promise<Page> => {
      const context = await browser.newContext({ baseURL: service.url, javaScriptEnabled });
      contexts.push(context);
      const page = await context.newPage();
      page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text());
      });
      await page.goto(`/users/sign_in?return_to=${encodeURIComponent(path)}`);
      await page.getByLabel('Username or email').fill('ada');
      await page.getByLabel('Password').fill(PASSWORD);
      await page.keyboard.press('Enter');
      await page.waitForURL(`**${path}`);
      return page;
    };
    const loaded = (page: Page, act: () => Promise<void>) =>
      Promise.all([page.waitForEvent('domcontentloaded'), act()]);
    const press = (page: Page, role: 'button' | 'checkbox', name: string) =>
      loaded(page, () => page.getByRole(role, { name, exact: true }).first().click());

    it('keeps the title that was typed when other branches are compared, by Enter or by the button, without script', async () => {
      const page = await signIn('/ada/mill/-/merge_requests/new?source_branch=wheels&target_branch=main', false);
      expect(await page.getByLabel('Title').inputValue()).toBe('Write wheels');
      await page.getByLabel('Title').fill('Better wheels');
      await page.getByLabel('Description').fill('They turn.');
      await page.getByLabel('Source branch', { exact: true }).fill('pumps');
      await loaded(page, () => page.getByLabel('Source branch', { exact: true }).press('Enter'));
      expect(await page.getByText('three').count()).toBe(1);
      await page.getByLabel('Source branch', { exact: true }).fill('wheels');
      await press(page, 'button', 'Compare');
      expect(await page.getByLabel('Title').inputValue()).toBe('Better wheels');
      expect(await page.getByLabel('Description').inputValue()).toBe('They turn.');
      await loaded(page, () => page.getByLabel('Title').press('Enter'));
      expect(await page.getByRole('status').textContent()).toMatch(/^Merge request !\d+ created\.$/);
    });

    it('ticks a task, and shows a comment before it is written, without script', async () => {
      const page = await signIn('/ada/mill/-/issues/1', false);
      expect(await page.getByRole('checkbox', { name: 'Find the oil' }).isChecked()).toBe(true);
      await press(page, 'checkbox', 'Oil the gears');
      expect(await page.getByRole('checkbox', { name: 'Oil the gears' }).isChecked()).toBe(true);
      await page.getByText('Why').click();
      expect(await page.getByText('They grind 🎉').isVisible()).toBe(true);
      await page.getByLabel('Comment').fill('It is **done**');
      await press(page, 'button', 'Preview');
      expect(await page.getByRole('region', { name: 'Preview' }).locator('strong').textContent()).toBe('done');
      await press(page, 'button', 'Comment');
      expect(await page.getByRole('status').textContent()).toBe('Comment added.');
    });

    it('folds files that were viewed until there is another version of them, and shows none of it without script', async () => {
      const asked = { source_branch: 'axles', target_branch: 'main', title: 'Axles' };
      const { iid } = (await call<{ iid: number }>('/merge_requests', asked)).body;
      const address = `/ada/mill/-/merge_requests/${iid}/diffs`;
      const page = await signIn(address, true);
      const file = (name: string) => page.locator('details.diff', { hasText: name });
      const isOpen = (name: string) => file(name).evaluate((details) => (details as unknown as { open: boolean }).open);
      expect(await page.getByText('0 of 2 viewed').isVisible()).toBe(true);
      await page.getByLabel('Viewed axle.txt').check();
      expect([await isOpen('axle.txt'), await isOpen('wheels.txt')]).toEqual([false, true]);
      await page.reload();
      expect(await page.getByText('1 of 2 viewed').isVisible()).toBe(true);
      expect([await isOpen('axle.txt'), await isOpen('wheels.txt')]).toEqual([false, true]);
      await page.locator('.changed-files').getByRole('link', { name: 'axle.txt' }).click();
      expect(await isOpen('axle.txt')).toBe(true);
      await commit('axles', { 'axle.txt': 'two\n' }, 'update');
      await page.goto(address);
      expect(await page.getByText('0 of 2 viewed').isVisible()).toBe(true);
      expect(await isOpen('axle.txt')).toBe(true);
      const plain = await signIn(address, false);
      expect(await plain.getByText('viewed').filter({ visible: true }).count()).toBe(0);
    });

    it('puts a card of a board where it is dropped: in another column, and between two others', async () => {
      const [board] = (
        await service.call<readonly { id: number }[]>('GET', '/projects/ada%2Fmill/boards', { token: ada.token })
      ).body;
      const { body: label } = await call<{ id: number }>('/labels', { name: 'doing', color: '#112233' });
      await call(`/boards/${board!.id}/lists`, { label_id: label.id });
      for (const title of ['First card', 'Second card']) await call('/issues', { title, labels: 'doing' });
      await call('/issues', { title: 'Dropped card' });
      const page = await signIn(`/ada/mill/-/boards/${board!.id}`, true);
      const column = (name: RegExp) => page.getByRole('region', { name });
      const card = (title: string) => page.locator('[data-card]', { hasText: title });
      const titles = (name: RegExp) => column(name).locator('strong').allTextContents();
      await loaded(page, () => card('Dropped card').dragTo(card('Second card'), { targetPosition: { x: 40, y: 2 } }));
      expect(await titles(/^doing/)).toEqual(['First card', 'Dropped card', 'Second card']);
      await loaded(page, () => card('Dropped card').dragTo(card('First card'), { targetPosition: { x: 40, y: 2 } }));
      expect(await titles(/^doing/)).toEqual(['Dropped card', 'First card', 'Second card']);
      await loaded(page, () => card('First card').dragTo(column(/^Closed/).getByRole('heading')));
      expect(await titles(/^Closed/)).toEqual(['First card']);
    });

    it('shows what was written into a form that was open while the person signed in again', async () => {
      const page = await signIn('/ada/mill/-/issues/1', true);
      await page.getByLabel('Comment').fill('Long thoughts');
      const other = await contexts.at(-1)!.newPage();
      await other.goto('/');
      await other.locator('details.menu > summary').click();
      await loaded(other, () => other.getByRole('button', { name: 'Sign out' }).click());
      await press(page, 'button', 'Comment');
      expect(await page.getByRole('heading', { name: 'You were signed out' }).count()).toBe(1);
      expect(await page.getByLabel('Comment').inputValue()).toBe('Long thoughts');
      // What the answer says is an error to the browser, as it should be.
      expect(complaints.splice(0)).toEqual([expect.stringContaining('401')]);
    });
  });
});

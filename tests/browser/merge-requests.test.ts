import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { launchBrowser } from '../support/browser.js';
import { describeAnyDatabase } from '../support/databases.js';
import { PASSWORD } from '../support/form-browser.js';
import { withGit } from '../support/git.js';
import { TestService } from '../support/test-service.js';

withGit('merge requests in a browser', () => {
  describeAnyDatabase('merge requests in a browser', (openTestDatabase) => {
    let service: TestService;
    let browser: Browser;
    const complaints: string[] = [];
    const contexts: BrowserContext[] = [];

    beforeAll(async () => {
      service = await TestService.start(await openTestDatabase());
      const ada = await service.addUser('ada', { password: PASSWORD });
      const grace = await service.addUser('grace', { password: PASSWORD });
      const call = (path: string, json: object) =>
        service.call<{ id: number }>('POST', path, { token: ada.token, json });
      const { id } = (await call('/projects', { name: 'mill' })).body;
      await call(`/projects/${id}/members`, { user_id: grace.id, access_level: 40 });
      await call(`/projects/${id}/issues`, { title: 'It grinds' });
      await call(`/projects/${id}/repository/commits`, {
        branch: 'main',
        commit_message: 'Begin',
        actions: [{ action: 'create', file_path: 'gears.txt', content: 'twelve\n' }],
      });
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

    /** Somebody at a browser without scripts. */
    const signIn = async (name: string, path: string): Promise<Page> => {
      const context = await browser.newContext({ baseURL: service.url, javaScriptEnabled: false });
      contexts.push(context);
      const page = await context.newPage();
      page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text());
      });
      await page.goto(`/users/sign_in?return_to=${path}`);
      await page.getByLabel('Username or email').fill(name);
      await page.getByLabel('Password').fill(PASSWORD);
      await page.keyboard.press('Enter');
      await page.waitForURL(`**${path}`);
      return page;
    };
    /** Brings the focus to it, and presses Enter. */
    const press = async (page: Page, role: 'link' | 'button', name: string): Promise<void> => {
      const target = page.getByRole(role, { name, exact: true }).first();
      await target.focus();
      await Promise.all([page.waitForEvent('domcontentloaded'), page.keyboard.press('Enter')]);
    };
    const notice = (page: Page): Promise<string | null> => page.getByRole('status').textContent();

    it('lead two people by keys alone from a file that is edited to a branch that is merged, the issue that is closed, and the revert', async () => {
      const ada = await signIn('ada', '/ada/mill/-/edit/main/gears.txt');
      await ada.getByLabel('Content').fill('thirteen\n');
      await ada.getByLabel('Message').fill('Count the gears again');
      await ada.getByLabel('Branch').fill('1-count');
      await press(ada, 'button', 'Commit');
      await press(ada, 'link', 'New merge request');
      expect(await ada.getByLabel('Title').inputValue()).toBe('Count the gears again');
      expect(await ada.getByLabel('Description').inputValue()).toBe('Closes #1');
      expect(await ada.getByText('thirteen').count()).toBe(1);
      await ada.getByLabel('grace').nth(1).check();
      await press(ada, 'button', 'Create merge request');
      expect(await notice(ada)).toBe('Merge request !1 created.');

      const grace = await signIn('grace', '/');
      await press(grace, 'link', 'Count the gears again');
      await grace.getByLabel('Comment').fill('Counted them, **too**');
      await press(grace, 'button', 'Comment');
      expect(await notice(grace)).toBe('Comment added.');
      await press(grace, 'button', 'Approve');
      expect(await notice(grace)).toBe('Approved.');
      await press(grace, 'button', 'Merge');
      expect(await notice(grace)).toBe('Merged into main.');
      expect(await grace.getByRole('heading', { name: 'Merged', exact: true }).count()).toBe(1);
      await press(grace, 'link', '#1');
      expect(await grace.getByText('closed', { exact: true }).count()).toBeGreaterThan(0);

      await grace.goBack();
      await press(grace, 'link', 'Revert');
      await grace.getByLabel('On a new branch').check();
      await press(grace, 'button', 'Revert');
      expect(await grace.getByLabel('Description').inputValue()).toBe('This reverts merge request !1');
    });

    it('lead two people by keys alone from a comment on a line to a suggestion that is applied, and a thread that is resolved', async () => {
      const ada = await signIn('ada', '/ada/mill/-/edit/main/gears.txt');
      await ada.getByLabel('Content').fill('fourteen\nwheels\n');
      await ada.getByLabel('Branch').fill('wheels');
      await press(ada, 'button', 'Commit');
      await press(ada, 'link', 'New merge request');
      await press(ada, 'button', 'Create merge request');
      const [, iid] = /!(\d+) created/.exec((await notice(ada)) ?? '') ?? [];
      const address = `/ada/mill/-/merge_requests/${iid}`;

      const grace = await signIn('grace', `${address}/diffs`);
      await press(grace, 'link', 'Comment on line 1');
      const comment = grace.getByLabel('Comment on line 1 of gears.txt');
      await grace.waitForFunction("document.activeElement?.id === 'line-body'");
      const lineAbove = "document.activeElement.closest('tr').previousElementSibling.getBoundingClientRect().top";
      expect(await grace.evaluate<number>(lineAbove)).toBeGreaterThanOrEqual(0);
      await comment.fill('Better:\n\n```suggestion:-0+0\nfifteen\n```\n');
      await press(grace, 'button', 'Start a thread');
      expect(await notice(grace)).toBe('Thread started.');
      await press(grace, 'link', 'Comment on line 2');
      await grace.getByLabel('Comment on line 2 of gears.txt').fill('Which ones?');
      await press(grace, 'button', 'Start a thread');

      await ada.goto(address);
      await press(ada, 'button', 'Apply suggestion');
      expect(await notice(ada)).toBe('Suggestion applied.');
      expect(await ada.getByText('applied', { exact: true }).count()).toBe(1);
      expect(await ada.getByText('outdated', { exact: true }).count()).toBe(1);
      await press(ada, 'button', 'Resolve thread');
      expect(await notice(ada)).toBe('Thread resolved.');
      await press(ada, 'link', 'gears.txt, line 2');
      expect(await ada.getByText('fifteen').count()).toBeGreaterThan(0);
      expect(await ada.getByText('Which ones?').count()).toBe(1);
    });

    it('lead a reviewer by keys alone from a line and a comment that only they see to a review that is published', async () => {
      const ada = await signIn('ada', '/ada/mill/-/edit/main/gears.txt');
      await ada.getByLabel('Content').fill('sixteen\n');
      await ada.getByLabel('Branch').fill('sixteen');
      await press(ada, 'button', 'Commit');
      await press(ada, 'link', 'New merge request');
      await press(ada, 'button', 'Create merge request');
      const [, iid] = /!(\d+) created/.exec((await notice(ada)) ?? '') ?? [];
      const address = `/ada/mill/-/merge_requests/${iid}`;
      await ada.getByLabel('Comment').fill('Good?');
      await press(ada, 'button', 'Start a thread');

      const grace = await signIn('grace', `${address}/diffs`);
      await press(grace, 'link', 'Comment on line 1');
      await grace.getByLabel('Comment on line 1 of gears.txt').fill('Why sixteen?');
      await press(grace, 'button', 'Start a review');
      expect(await notice(grace)).toBe('Added to your review: nobody else sees it until you publish it.');
      expect(await grace.getByRole('article').getByText('Pending', { exact: true }).count()).toBe(1);
      await press(grace, 'link', 'Conversation (1)');
      await grace.getByText('Reply', { exact: true }).first().click();
      await grace.getByLabel('Reply', { exact: true }).fill('Good');
      await grace.getByLabel('Resolve the thread with it').check();
      await press(grace, 'button', 'Add to review');
      expect(await grace.getByText('2 pending comments').count()).toBe(1);
      await grace.getByLabel('Comment', { exact: true }).fill('Too much');
      await grace.getByRole('button', { name: 'Add to review' }).last().click();
      await grace.getByRole('link', { name: 'Delete the pending comment' }).last().click();
      await press(grace, 'button', 'Delete comment');
      await ada.goto(address);
      expect([await ada.getByText('Why sixteen?').count(), await ada.getByText('Pending').count()]).toEqual([0, 0]);

      await press(grace, 'link', 'Finish review');
      await grace.getByLabel('Summary').fill('Nearly there');
      await grace.getByLabel('Approve the merge request').check();
      await press(grace, 'button', 'Publish 2 comments');
      expect(await notice(grace)).toBe('Review published: 3 comments. Approved.');
      await ada.goto(address);
      for (const words of ['Why sixteen?', 'Good', 'Nearly there', 'resolved'])
        expect([words, await ada.getByText(words, { exact: true }).count()]).toEqual([words, 1]);
    });
  });
});

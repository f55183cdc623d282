import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { launchBrowser } from '../support/browser.js';
import { describeAnyDatabase } from '../support/databases.js';
import { PASSWORD } from '../support/form-browser.js';
import { addProject, remoteOf, WorkTree } from '../support/git-service.js';
import { removeFolder, withGit } from '../support/git.js';
import { keepScreenshot } from '../support/screenshots.js';
import { TestService, type TestUser } from '../support/test-service.js';

const PHONE = { width: 360, height: 740 };
const HOSTILE_NAME = '"><img src=x onerror=alert(1)>.md';
const HOSTILE_TEXT = `<script>alert(1)</script>

[a](javascript:alert(1)) ![b](x" onerror="alert(1)) <img src=x onerror=alert(1)>

\`\`\`html
<script>alert(1)</script>
\`\`\`

# <img src=x onerror=alert(1)>
`;
const SOURCE = `import { gears } from './gears.js';

/** Divides as the engine does. */
export const divide = (dividend: number, divisor: number): number => {
  if (divisor === 0) throw new Error('The gears grind.');
  return Math.trunc(dividend / divisor) * gears.ratio; // ${'a rather long remark '.repeat(6)}
};
`;
const README = `# Mill

The engine's own mill. See [the source](src/divide.ts).

| Part | Teeth |
|------|------:|
| Axle | 12    |

\`\`\`ts
divide(12, 4);
\`\`\`
`;

withGit('code in a browser', () => {
  describeAnyDatabase('code in a browser', (openTestDatabase) => {
    let service: TestService;
    let browser: Browser;
    let context: BrowserContext;
    let page: Page;
    let ada: TestUser;
    let tree: WorkTree;
    const complaints: string[] = [];

    const commitAll = async (message: string, files: Readonly<Record<string, string>>): Promise<void> => {
      for (const [path, content] of Object.entries(files)) {
        mkdirSync(dirname(join(tree.folder, path)), { recursive: true });
        writeFileSync(join(tree.folder, path), content);
      }
      await tree.git('add', '--all');
      await tree.git('commit', '--quiet', '-m', message);
    };

    beforeAll(async () => {
      service = await TestService.start(await openTestDatabase());
      browser = await launchBrowser();
      ada = await service.addUser('ada', { password: PASSWORD });
      const { path } = await addProject(service, ada, { name: 'mill', visibility: 'public' });
      await addProject(service, ada, { name: 'empty', visibility: 'public' });
      tree = await WorkTree.init();
      await commitAll('Divide', {
        'README.md': README,
        'src/divide.ts': SOURCE,
        'src/gears.ts': 'export const gears = {};\n',
      });
      await tree.git('branch', 'feature/steam');
      await tree.git('tag', 'v1.0');
      await commitAll('Turn the gears twice as fast, and <b>say so</b>', {
        'src/divide.ts': SOURCE.replace('gears.ratio', '(gears.ratio * 2)'),
        [HOSTILE_NAME]: HOSTILE_TEXT,
      });
      await tree.git('remote', 'add', 'origin', remoteOf(service, path, 'oauth2', ada.token));
      await tree.git('push', '--quiet', 'origin', 'main', 'feature/steam', 'v1.0');
    });

    afterAll(async () => {
      removeFolder(tree.folder);
      await browser.close();
      await service.close();
    });

    const open = async (path: string, options: Parameters<Browser['newContext']>[0] = {}): Promise<void> => {
      context = await browser.newContext({ baseURL: service.url, ...options });
      page = await context.newPage();
      page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text());
      });
      page.on('dialog', (dialog) => {
        complaints.push(`A script ran: ${dialog.message()}`);
        void dialog.dismiss();
      });
      await page.goto(path);
    };

    afterEach(async () => {
      expect(complaints.splice(0)).toEqual([]);
      await context.close();
    });

    const follow = async (name: string | RegExp): Promise<void> => {
      const link = page.getByRole('link', typeof name === 'string' ? { name, exact: true } : { name });
      await Promise.all([page.waitForEvent('domcontentloaded'), link.first().click()]);
    };
    const heading = (): Promise<string | null> => page.getByRole('heading', { level: 1 }).first().textContent();

    it('leads from the project to a file, its lines and who wrote them, without scripts', async () => {
      await open('/ada/mill', { javaScriptEnabled: false });
      await keepScreenshot(page, 'code', 900);
      await follow('src');
      await follow('divide.ts');
      expect(await heading()).toBe('divide.ts');
      await keepScreenshot(page, 'code-file');
      expect(await page.locator('.hljs-keyword').first().textContent()).toBe('import');
      await page.getByRole('link', { name: 'Line 5', exact: true }).click();
      expect(new URL(page.url()).hash).toBe('#L5');
      await follow('Blame');
      expect(await page.getByRole('row').count()).toBeGreaterThan(2);
      await follow('History');
      await follow(/^Turn the gears/);
      expect(await page.getByText('(gears.ratio * 2)').count()).toBe(1);
      await follow('Side by side');
      await keepScreenshot(page, 'code-commit');
      await follow('Hide whitespace changes');
      expect(await page.locator('table.sides').count()).toBeGreaterThan(0);
    });

    it('reads the README as a person wrote it, and follows its links', async () => {
      await open('/ada/mill');
      expect(await page.locator('.markdown').getByRole('table').count()).toBe(1);
      await follow('the source');
      expect(await heading()).toBe('divide.ts');
    });

    it('switches to another branch at the same file, and compares the two', async () => {
      await open('/ada/mill/-/blob/main/src/divide.ts');
      await page.getByLabel('Branch, tag or commit').fill('feature/steam');
      await Promise.all([page.waitForEvent('domcontentloaded'), page.getByRole('button', { name: 'Switch' }).click()]);
      expect(new URL(page.url()).pathname).toBe('/ada/mill/-/blob/feature/steam/src/divide.ts');
      await follow('Compare');
      await page.getByLabel('From', { exact: true }).fill('feature/steam');
      await page.getByLabel('To', { exact: true }).fill('main');
      await Promise.all([page.waitForEvent('domcontentloaded'), page.getByRole('button', { name: 'Compare' }).click()]);
      expect(await page.getByRole('link', { name: /^Turn the gears/ }).count()).toBe(1);
      await follow('Branches');
      expect(await page.getByText('0 ahead, 1 behind').count()).toBe(1);
      await follow('Tags');
      await follow('v1.0');
      expect(new URL(page.url()).pathname).toBe('/ada/mill/-/tree/v1.0');
    });

    it('changes a file, and takes the change back by deleting its branch, without scripts', async () => {
      await open('/users/sign_in?return_to=/ada/mill/-/blob/main/src/gears.ts', { javaScriptEnabled: false });
      await page.getByLabel('Username or email').fill('ada');
      await page.getByLabel('Password').fill(PASSWORD);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await follow('Edit');
      await page.getByLabel('Content').fill('export const gears = { ratio: 3 };\n');
      await page.getByLabel('Message').fill('Count the teeth');
      await page.getByLabel('Branch').fill('teeth');
      await keepScreenshot(page, 'code-edit', 900);
      await Promise.all([page.waitForEvent('domcontentloaded'), page.getByRole('button', { name: 'Commit' }).click()]);
      expect(new URL(page.url()).pathname).toBe('/ada/mill/-/blob/teeth/src/gears.ts');
      expect(await page.locator('.code-file').textContent()).toContain('ratio: 3');
      await follow('Branches');
      const remove = page.getByRole('link', { name: 'Delete the branch teeth' });
      await Promise.all([page.waitForEvent('domcontentloaded'), remove.click()]);
      const sure = page.getByRole('button', { name: 'Delete branch' });
      await Promise.all([page.waitForEvent('domcontentloaded'), sure.click()]);
      expect(await page.getByRole('status').textContent()).toBe('Branch “teeth” deleted.');
      expect(await page.getByRole('link', { name: 'teeth', exact: true }).count()).toBe(0);
    });

    it('runs nothing that people wrote into names, contents and messages', async () => {
      const name = encodeURIComponent(HOSTILE_NAME);
      await open('/ada/mill');
      for (const path of [
        'tree/main',
        `blob/main/${name}`,
        `blob/main/${name}?plain=1`,
        `blame/main/${name}`,
        'commits/main',
      ]) {
        await page.goto(`/ada/mill/-/${path}`);
        expect(await page.locator('img[src="x"], script').count()).toBe(0);
        expect(await page.locator('[onerror], [href^="javascript:"]').count()).toBe(0);
      }
      await follow(/^Turn the gears/);
      expect(await page.locator('main').locator('img, script, b').count()).toBe(0);
    });

    describe('on a phone', () => {
      it.each(['light', 'dark'] as const)('nothing is wider than the screen, %s', async (colorScheme) => {
        const pages = [
          'mill',
          'empty',
          'mill/-/tree/main/src',
          'mill/-/blob/main/src/divide.ts',
          'mill/-/blame/main/src/divide.ts',
          'mill/-/commits/main',
          'mill/-/compare/v1.0...main',
          'mill/-/compare/v1.0...main?view=parallel',
          'mill/-/branches',
          'mill/-/tags',
        ];
        await open('/ada/mill', { viewport: PHONE, colorScheme });
        for (const path of pages) {
          await page.goto(`/ada/${path}`);
          expect([path, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([path, PHONE.width]);
        }
      });
    });
  });
});

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { AlertingProject, sendAlert } from '../support/alerting.js';
import { launchBrowser } from '../support/browser.js';
import { describeAnyDatabase } from '../support/databases.js';
import { PASSWORD } from '../support/form-browser.js';
import { TestService, type TestUser } from '../support/test-service.js';
import { until } from '../support/until.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** WCAG 2.2 AA, and what axe holds for good practice. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const LOOKS = [
  { width: 1280, scheme: 'light' },
  { width: 1280, scheme: 'dark' },
  // A tablet: between what has the links of the frame in a row and a phone.
  { width: 800, scheme: 'light' },
  { width: 375, scheme: 'light' },
  { width: 375, scheme: 'dark' },
] as const;

const GROUP = '/groups/works';
const PROJECT = '/works/engine';

/** Everything that the frame leads somebody to who may do everything. */
const PAGES = [
  '/',
  '/dashboard/issues',
  '/dashboard/merge_requests?scope=created',
  '/dashboard/todos',
  '/dashboard/todos?state=done',
  '/explore/projects',
  '/explore/groups',
  '/explore/people',
  '/search',
  '/search?search=engine',
  '/search?search=leak&kind=issues',
  '/ada',
  '/users/ada/activity',
  '/projects/new',
  '/groups/-/new',
  '/groups/-/new?parent=works',
  GROUP,
  ...['members', 'members/invite', 'settings', 'settings/remove'].map((page) => `${GROUP}/-/${page}`),
  PROJECT,
  ...[
    'issues',
    'issues?kind=incident',
    'issues/new',
    'issues/1',
    'issues/1/edit',
    'issues/1/notes/NOTE/edit',
    'issues/1/notes/NOTE/remove',
    'issues/1/remove',
    'milestones',
    'milestones/new',
    'milestones/1',
    'milestones/1/edit',
    'milestones/1/remove',
    'labels',
    'labels/new',
    'labels/1/edit',
    'labels/1/remove',
    'alert_management',
    'alert_management/1/details',
    'environments',
    'members',
    'members/invite',
    'members/GRACE',
    'members/GRACE/remove',
    'activity',
    'settings',
    'settings/transfer',
    'settings/remove',
    'settings/operations',
    'settings/operations/integrations',
    'settings/operations/integrations?type=generic',
    'settings/operations/incidents',
    'settings/operations/test',
    'settings/operations/error_tracking',
    'settings/webhooks',
    'tree/main',
    'blob/main/README.md',
    'blame/main/README.md',
    'new/main',
    'edit/main/README.md',
    'delete/main/README.md',
    'upload/main',
    'new_folder/main',
    'commits/main',
    'compare/main...governor',
    'branches',
    'tags',
    'search?ref=main&search=Engine',
    'releases',
    'releases/-/new',
    'releases/v1',
    'releases/v1/edit',
    'releases/v1/remove',
    'forks',
    'forks/new',
    'merge_requests',
    'merge_requests/new',
    'merge_requests/new?source_branch=governor&target_branch=main',
    'merge_requests/1',
    'merge_requests/1/commits',
    'merge_requests/1/diffs',
    'merge_requests/1/diffs?line=1_0_2',
    'merge_requests/1/diffs?view=parallel',
    'merge_requests/1/edit',
    'merge_requests/1/remove',
    'merge_requests/2',
  ].map((page) => `${PROJECT}/-/${page}`),
  '/nothing/here',
];
const OF_VISITORS = [
  '/',
  '/users/sign_in',
  '/explore/projects',
  PROJECT,
  `${PROJECT}/-/issues`,
  `${PROJECT}/-/issues/1`,
  `${PROJECT}/-/releases`,
  `${PROJECT}/-/forks`,
];

describeAnyDatabase('everybody can use the pages', (openTestDatabase) => {
  let service: TestService;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let note: number;
  let grace: TestUser;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    const ada = await service.addUser('ada', { admin: true, password: PASSWORD });
    grace = await service.addUser('grace');
    const call = async (path: string, json: object) =>
      (await service.call<{ id: number }>('POST', path, { token: ada.token, json })).body;
    const group = await call('/groups', { name: 'Analytical works', path: 'works', visibility: 'public' });
    const { id } = await call('/projects', {
      name: 'Difference engine with a name that is long enough to break on a phone',
      path: 'engine',
      namespace_id: group.id,
      visibility: 'public',
      description: 'Tabulates polynomial functions.',
    });
    const below = (path: string, json: object) => call(`/projects/${id}${path}`, json);
    await below('/labels', { name: 'bug', color: '#d9534f', description: 'Broken' });
    const milestone = await below('/milestones', {
      title: 'First light',
      due_date: '2027-01-01',
      description: 'See #1',
    });
    const description =
      '# Leak\n\n- [ ] dry\n- [x] wet, @grace\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```js\nlet a = 1;\n```\n';
    const planned = { milestone_id: milestone.id, labels: 'bug', assignee_ids: [ada.id] };
    await below('/issues', { title: 'A leak', description, ...planned });
    ({ id: note } = await below('/issues/1/notes', { body: 'Seen in **public**, too' }));
    await below('/members', { user_id: grace.id, access_level: 30, expires_at: '2999-01-01' });
    await below('/repository/commits', {
      branch: 'main',
      commit_message: 'Begin',
      actions: [{ action: 'create', file_path: 'README.md', content: '# Engine\n' }],
    });
    for (const [branch, lines] of [
      ['governor', 'balls\n'],
      ['regulator-with-a-name-that-is-long-enough-to-break-on-a-phone', 'float\n'],
    ]) {
      await below('/repository/commits', {
        branch,
        start_branch: 'main',
        commit_message: 'Regulate the speed',
        actions: [{ action: 'update', file_path: 'README.md', content: `# Engine\n\n${lines}` }],
      });
    }
    for (const [title, source_branch] of [
      ['Regulate', 'regulator-with-a-name-that-is-long-enough-to-break-on-a-phone'],
      ['Draft: Govern', 'main'],
    ]) {
      const target_branch = source_branch === 'main' ? 'governor' : 'main';
      await below('/merge_requests', { title, source_branch, target_branch, description, ...planned });
    }
    await below('/merge_requests/1/notes', { body: 'Seen in **public**, too' });
    await below('/merge_requests/1/discussions', { body: 'Test it?' });
    await below('/releases', {
      tag_name: 'v1',
      ref: 'main',
      name: 'A release with a name that is long enough to break on a phone',
      description,
      assets: { links: [{ name: 'The manual', url: 'https://manuals.example/' }] },
    });
    await call(`/projects/${id}/fork`, {
      path: 'fork-with-a-path-that-is-long-enough-to-break-on-a-phone',
      name: 'Fork',
    });
    await below('/hooks', { url: 'https://hooks.example/' });
    const hasTodos = async () =>
      (await service.call<readonly object[]>('GET', '/todos', { token: ada.token })).body.length > 0;
    await until(hasTodos);
    const alerting = AlertingProject.of(service, ada, id);
    await sendAlert(await alerting.integrate(), { title: 'On fire', environment: 'production', severity: 'high' });
    browser = await launchBrowser();
    context = await browser.newContext({ baseURL: service.url });
    page = await context.newPage();
  });

  afterAll(async () => {
    await browser.close();
    await service.close();
  });

  /** What axe finds wrong with the page that is open, and whether it is wider than the screen, however it is looked at. */
  const examine = async (): Promise<readonly string[]> => {
    const found: string[] = [];
    for (const { width, scheme } of LOOKS) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
      const look = `${width} ${scheme}`;
      const { violations, wide } = await page.evaluate<{ violations: string[]; wide: number }>(`(async () => {
        const { violations } = await axe.run(document, { runOnly: ${JSON.stringify(TAGS)}, resultTypes: ['violations'] });
        return {
          violations: violations.map(({ id, nodes }) => id + ': ' + nodes.slice(0, 3).map(({ html }) => html.slice(0, 160)).join(' | ')),
          wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
        };
      })()`);
      found.push(...violations.map((violation) => `${look} ${violation}`));
      if (wide > 0) found.push(`${look} scrolls sideways by ${wide} px`);
    }
    return found;
  };

  const examineAll = async (paths: readonly string[]): Promise<Readonly<Record<string, readonly string[]>>> => {
    const found: Record<string, readonly string[]> = {};
    for (const path of paths) {
      const answer = await page.goto(path.replace('NOTE', String(note)).replace('GRACE', String(grace.id)));
      expect([path, answer?.status()]).toEqual([path, path === '/nothing/here' ? 404 : 200]);
      // Nobody was sent to sign in.
      expect([path, new URL(page.url()).pathname]).not.toEqual([
        path,
        path === '/users/sign_in' ? '' : '/users/sign_in',
      ]);
      await page.evaluate(AXE);
      const wrong = await examine();
      if (wrong.length > 0) found[path] = wrong;
    }
    return found;
  };

  it('as a visitor: WCAG 2.2 AA in light and dark, on a screen and on a phone, without scrolling sideways', async () => {
    expect(await examineAll(OF_VISITORS)).toEqual({});
  });

  it('as somebody who may do everything: the same', async () => {
    await page.goto('/users/sign_in');
    await page.getByLabel('Username or email').fill('ada');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Hello, ada Example' }).waitFor();
    expect(await examineAll(PAGES)).toEqual({});
  });

  it('with a form that was refused: the summary has the focus and leads to the field', async () => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(`${PROJECT}/-/issues/new`);
    await page.getByLabel('Title').fill(' ');
    await page.getByLabel('Due date').fill('2027-01-01');
    await page.getByRole('button', { name: 'Create issue' }).click();
    await page.locator('#problems:focus').waitFor();
    expect(new URL(page.url()).pathname).toBe(`${PROJECT}/-/issues/new`);
    expect(await page.getByLabel('Due date').inputValue()).toBe('2027-01-01');
    await page.getByRole('link', { name: /blank/ }).click();
    await page.locator('#title:focus').waitFor();
    await page.evaluate(AXE);
    expect(await examine()).toEqual([]);
  });
});

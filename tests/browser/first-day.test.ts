import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { Sensitive } from '../../src/application/shared/sensitive.js';
import { prepareFirstStart } from '../../src/infrastructure/first-start.js';
import { launchBrowser } from '../support/browser.js';
import { describeAnyDatabase, describeEachDatabase, type OpenTestDatabase } from '../support/databases.js';
import { pointingHands, typingHands, type Hands } from '../support/hands.js';
import { MailServer } from '../support/mail-server.js';
import { TestService } from '../support/test-service.js';
import { until } from '../support/until.js';

const ROOTS = 'a-difference-engine';
const GRACES = 'compilers-compile';
const DUE = '2026-05-04';

let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

/** How somebody uses a browser. */
type Manner = readonly [how: string, use: (page: Page) => Hands, options: BrowserContextOptions];

const firstDay = (openTestDatabase: OpenTestDatabase, manners: readonly Manner[]): void => {
  let mailServer: MailServer;
  let service: TestService;
  const complaints: string[] = [];

  beforeEach(async () => {
    mailServer = await MailServer.start();
    const settings = { smtpUrl: mailServer.url, rootPassword: new Sensitive(ROOTS) };
    service = await TestService.start(await openTestDatabase(), settings);
    await prepareFirstStart(service.service);
  });
  afterEach(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()));
    await service.close();
    await mailServer.down();
    expect(complaints.splice(0)).toEqual([]);
  });

  /** Somebody with a browser of their own. */
  const arrive = async (at: string, use: (page: Page) => Hands, options: BrowserContextOptions): Promise<Hands> => {
    const context = await browser.newContext({ baseURL: service.url, locale: 'en-US', ...options });
    const page = await context.newPage();
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(at);
    return use(page);
  };
  const notice = ({ page }: Hands) => page.getByRole('status').textContent();
  const heading = ({ page }: Hands) => page.getByRole('heading', { level: 1 }).textContent();

  const signInAsRoot = async (root: Hands): Promise<void> => {
    await root.press('link', 'Sign in');
    await root.fill('Username or email', 'root');
    await root.fill('Password', ROOTS);
    await root.press('button', 'Sign in');
  };

  const makeAProject = async (root: Hands): Promise<void> => {
    await root.press('link', 'First group');
    await root.fill('Name', 'Engines');
    await root.press('button', 'Create group');
    await root.press('link', 'New project');
    await root.fill('Name', 'Compiler');
    await root.press('button', 'Create project');
    expect(new URL(root.page.url()).pathname).toBe('/engines/compiler');
    await root.press('link', 'Issues');
    await root.press('link', 'Labels');
    await root.press('link', 'New label');
    await root.fill('Name', 'leak');
    await root.press('button', 'Create label');
    await root.press('link', 'Milestones');
    await root.press('link', 'New milestone');
    await root.fill('Title', 'Maiden run');
    await root.press('button', 'Create milestone');
  };

  /** @returns the link that was mailed. */
  const inviteGrace = async (root: Hands): Promise<string> => {
    await root.press('link', 'Members');
    await root.press('link', 'Invite member');
    await root.fill('Username or e-mail', 'grace@example.com');
    await root.choose('Role', 'Developer');
    await root.press('button', 'Invite');
    expect(await notice(root)).toContain('grace@example.com');
    await until(() => Promise.resolve(mailServer.mails.length > 0));
    const [mail] = mailServer.take();
    expect(mail?.recipients).toEqual(['grace@example.com']);
    return /http\S+invitation_token=\S+/.exec(mail?.text ?? '')?.[0] ?? '';
  };

  const signUpAndWork = async (grace: Hands): Promise<void> => {
    await grace.fill('Username', 'grace');
    await grace.fill('Name', 'Grace Hopper');
    await grace.fill('Password', GRACES);
    await grace.press('button', 'Create account');
    expect(await notice(grace)).toContain('Welcome, Grace Hopper');
    await grace.press('link', 'Issues');
    await grace.press('link', 'New issue');
    await grace.fill('Title', 'The boiler leaks');
    await grace.fill('Description', 'At the **third** seam.');
    await grace.check('leak');
    await grace.choose('Milestone', 'Maiden run');
    await grace.fillDay('Due date', DUE);
    await grace.press('button', 'Create issue');
    expect(await heading(grace)).toBe('The boiler leaks');
    const facts = await grace.page.getByRole('main').innerText();
    for (const words of ['leak', 'Maiden run', DUE, 'third']) expect(facts).toContain(words);
    await grace.fill('Comment', 'It is sealed again.');
    await grace.press('button', 'Comment');
    expect(await notice(grace)).toBe('Comment added.');
    await grace.press('button', 'Close');
    expect(await grace.page.getByText('closed', { exact: true }).count()).toBeGreaterThan(0);
  };

  /** Sends two alerts as an Alertmanager that was set up by the guide does. */
  const sendAlerts = async (guide: string): Promise<void> => {
    const valueOf = (key: string): string =>
      JSON.parse(new RegExp(`${key}: (".*")$`, 'm').exec(guide)?.[1] ?? '""') as string;
    const alertOf = (alertname: string) => ({
      status: 'firing',
      labels: { alertname, severity: 'critical' },
      annotations: {},
      startsAt: '2026-03-01T12:00:00Z',
      endsAt: '0001-01-01T00:00:00Z',
      generatorURL: 'https://prometheus.example/graph',
      fingerprint: alertname,
    });
    const response = await fetch(valueOf('url'), {
      method: 'POST',
      headers: { authorization: `Bearer ${valueOf('credentials')}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        version: '4',
        groupKey: 'boilers',
        status: 'firing',
        receiver: 'gatehouse',
        groupLabels: {},
        commonLabels: {},
        commonAnnotations: {},
        externalURL: 'https://alertmanager.example',
        alerts: [alertOf('Pressure'), alertOf('Heat')],
      }),
    });
    expect(response.status).toBe(200);
  };

  const lookAfterAlerts = async (root: Hands): Promise<void> => {
    await root.press('link', 'Settings');
    await root.press('link', 'Integrations');
    await root.press('link', 'Add an integration');
    await root.press('link', 'External Prometheus');
    await root.fill('Name', 'Boiler room');
    await root.press('button', 'Add integration');
    const guide = root.page.getByRole('textbox', { name: 'Alertmanager', exact: true });
    await sendAlerts(await guide.inputValue());
    await root.press('link', 'Alerts');
    for (const title of ['Pressure', 'Heat']) await root.check(`Choose ${title}`);
    await root.press('button', 'Acknowledge chosen');
    expect(await notice(root)).toContain('2 alerts');
    await root.press('link', 'Acknowledged (2)');
    expect(await root.page.locator('tbody .badge.acknowledged').count()).toBe(2);
  };

  const readTheAuditLog = async (root: Hands): Promise<void> => {
    await root.unfold('Menu of');
    await root.press('link', 'Administration');
    await root.press('link', 'Audit log');
    const log = await root.page.getByRole('table').innerText();
    const told = [
      'Signed in',
      'A group was created',
      'A project was created',
      'Somebody was invited by mail',
      'An account was created',
      'A member was added',
      'An alert integration was added: Boiler room',
      'engines/compiler',
      'grace',
    ];
    for (const words of told) expect(log).toContain(words);
  };

  /** What people write is no act of an administrator's concern: the project's own activity tells of it, and an alert of who took it on. */
  const readTheActivity = async (root: Hands): Promise<void> => {
    await root.press('link', 'Gatehouse');
    await root.press('link', 'engines/compiler');
    await root.press('link', 'Activity');
    const feed = await root.page.getByRole('main').innerText();
    for (const done of ['opened issue', 'commented on issue', 'closed issue', 'opened milestone'])
      expect(feed).toContain(done);
    for (const words of ['The boiler leaks (#1)', 'It is sealed again.', 'Maiden run']) expect(feed).toContain(words);
  };

  it.each(manners)(
    'goes %s from an empty installation to a team, an issue that is closed and alerts that are acknowledged',
    async (_how, use, options) => {
      const root = await arrive('/', use, options);
      await signInAsRoot(root);
      await makeAProject(root);
      const link = await inviteGrace(root);
      await signUpAndWork(await arrive(link, use, options));
      await lookAfterAlerts(root);
      await readTheAuditLog(root);
      await readTheActivity(root);
    },
  );
};

const WITHOUT_SCRIPT = { javaScriptEnabled: false };

describeEachDatabase('the first day of an installation', (openTestDatabase) =>
  firstDay(openTestDatabase, [['with a mouse, with script switched off,', pointingHands, WITHOUT_SCRIPT]]),
);

// Where Tab leads is nothing to the database: what the keys bring about there, the mouse does on each.
describeAnyDatabase('the first day of an installation', (openTestDatabase) =>
  firstDay(openTestDatabase, [
    ['by keyboard alone', typingHands, {}],
    ['by keyboard alone, with script switched off,', typingHands, WITHOUT_SCRIPT],
  ]),
);

import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { launchBrowser } from '../support/browser.js';
import { describeAnyDeployment, describeEachDeployment, type Deploy } from '../support/deployments.js';
import { PASSWORD } from '../support/form-browser.js';
import { withGit } from '../support/git.js';
import { pointingHands, typingHands, type Hands } from '../support/hands.js';
import { MailServer } from '../support/mail-server.js';
import { header, Mailing } from '../support/mailing.js';
import type { TestUser } from '../support/test-service.js';
import { until } from '../support/until.js';
import { WrittenProject } from '../support/written-project.js';

const SUGGESTION = 'Count again:\n\n```suggestion:-0+0\nfifteen\n```\n';

/** How somebody uses a browser. */
interface Manner {
  readonly how: string;
  readonly path: string;
  readonly use: (page: Page) => Hands;
  readonly options: BrowserContextOptions;
}

withGit('a change on its way', () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  const change = (deploy: Deploy, manner: Manner): void => {
    let mailing: Mailing;
    let server: MailServer;
    let [ada, grace, hedy, ida]: TestUser[] = [];
    const complaints: string[] = [];

    beforeAll(async () => {
      server = await MailServer.start();
      const settings = { smtpUrl: server.url, mailFrom: 'Gatehouse <gate@house.example>' };
      mailing = new Mailing(await deploy(settings), server);
      const { service } = mailing;
      [ada, grace, hedy, ida] = [
        await service.addUser('ada', { password: PASSWORD }),
        await service.addUser('grace', { password: PASSWORD }),
        await service.addUser('hedy'),
        await service.addUser('ida'),
      ];
    });

    afterEach(async () => {
      expect(complaints.splice(0)).toEqual([]);
      await Promise.all(browser.contexts().map((context) => context.close()));
    });

    afterAll(async () => {
      await mailing.deployment.close();
      await server.down();
    });

    /** Somebody with a browser of their own, who signs in on their way. */
    const arrive = async (name: string, at: string): Promise<Hands> => {
      const { use, options } = manner;
      const context = await browser.newContext({ baseURL: mailing.service.url, locale: 'en-US', ...options });
      const page = await context.newPage();
      page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(error.message));
      await page.goto(`/users/sign_in?return_to=${at}`);
      const person = use(page);
      await person.fill('Username or email', name);
      await person.fill('Password', PASSWORD);
      await person.press('button', 'Sign in');
      expect(new URL(page.url()).pathname).toBe(at);
      return person;
    };
    const notice = ({ page }: Hands) => page.getByRole('status').first().textContent();
    const heading = ({ page }: Hands) => page.getByRole('heading', { level: 1 }).textContent();

    /** Who was mailed since the last time, why, and about what. */
    const told = async (): Promise<readonly string[]> => {
      const mails = await mailing.received();
      return mails
        .map((mail) => {
          const [who] = mail.recipients.join().split('@');
          const said = /(?:opened|commented|changed|merged|closed|reassigned)[^.:]*/.exec(mail.text ?? '')?.[0] ?? '?';
          return `${who}: ${header(mail, 'X-Gatehouse-NotificationReason')}, ${said}`;
        })
        .sort();
    };

    const prepare = async (path: string): Promise<WrittenProject> => {
      const mill = await WrittenProject.make(mailing.service, ada!, { name: path, path, visibility: 'public' });
      await mill.write('main', { 'gears.txt': 'twelve\n', 'README.md': '# Mill\n' });
      await mill.call('PUT', '', { merge_method: 'ff' });
      await mill.addMember(ida!, 20);
      expect((await mill.call('POST', '/issues', { title: 'It grinds' }, hedy)).status).toBe(201);
      await told();
      return mill;
    };

    /** Forks, edits a file on a branch, and asks Ada to look at it. */
    const propose = async (path: string): Promise<Hands> => {
      const person = await arrive('grace', `/ada/${path}`);
      const { page } = person;
      await person.press('link', 'Forks (0)');
      await person.press('link', 'Fork');
      await person.press('button', 'Fork project');
      await until(async () => {
        const fork = await mailing.call<{ import_status: string }>(grace!, 'GET', `/projects/grace%2F${path}`);
        return fork.body.import_status === 'finished';
      });
      await page.reload();
      await person.press('link', 'gears.txt');
      await person.press('link', 'Edit');
      await person.fill('Content', 'thirteen\n');
      await person.fill('Message', 'Count the gears again');
      await person.fill('Branch', 'count');
      await person.press('button', 'Commit');
      await person.press('link', 'New merge request');
      await person.fill('Description', 'Closes #1');
      await person.check('ada Example @ada', 'Reviewers');
      await person.press('button', 'Create merge request');
      expect(await notice(person)).toBe('Merge request !1 created.');
      expect(new URL(page.url()).pathname).toBe(`/ada/${path}/-/merge_requests/1`);
      return person;
    };

    /** Comments on a line, with what should stand there. */
    const suggest = async (reviewer: Hands): Promise<void> => {
      await reviewer.press('link', 'Count the gears again');
      await reviewer.press('link', 'Changes (1)');
      await reviewer.press('link', 'Comment on line 1');
      await reviewer.fill('Comment on line 1 of gears.txt', SUGGESTION);
      await reviewer.press('button', 'Start a thread');
      expect(await notice(reviewer)).toBe('Thread started.');
    };

    const applySuggestion = async (author: Hands): Promise<void> => {
      await author.page.reload();
      await author.press('button', 'Apply suggestion');
      expect(await notice(author)).toBe('Suggestion applied.');
      expect(await author.page.getByText('resolved', { exact: true }).count()).toBe(1);
    };

    /** The target moves on, and nothing is merged but what stands upon its newest commit. */
    const fallBehind = async (reviewer: Hands, path: string): Promise<void> => {
      await reviewer.page.goto(`/ada/${path}`);
      await reviewer.press('link', 'README.md');
      await reviewer.press('link', 'Edit');
      await reviewer.fill('Content', '# The mill\n');
      await reviewer.press('button', 'Commit');
      await mailing.settle();
    };

    const rebase = async (author: Hands): Promise<void> => {
      await author.page.reload();
      expect(await author.page.getByRole('heading', { name: 'It can’t be merged yet' }).count()).toBe(1);
      await author.press('button', 'Rebase');
      expect(await notice(author)).toBe('count stands upon main now.');
    };

    const approveAndMerge = async (reviewer: Hands, path: string): Promise<void> => {
      await reviewer.page.goto(`/ada/${path}`);
      await reviewer.press('link', 'Merge requests');
      await reviewer.press('link', 'Count the gears again');
      await reviewer.press('button', 'Approve');
      expect(await notice(reviewer)).toBe('Approved.');
      await reviewer.press('button', 'Merge');
      expect(await notice(reviewer)).toBe('Merged into main.');
      await reviewer.press('link', '#1');
      expect(await heading(reviewer)).toBe('It grinds');
      expect(await reviewer.page.getByText('closed', { exact: true }).count()).toBeGreaterThan(0);
    };

    const todosOf = async (user: TestUser | undefined, { id }: WrittenProject): Promise<readonly string[]> => {
      const { body } = await mailing.call<{ action_name: string }[]>(user!, 'GET', `/todos?project_id=${id}`);
      return body.map(({ action_name: action }) => action);
    };

    /** What the project's feed tells of its merge requests and issues, sorted. */
    const fedBy = async (project: WrittenProject): Promise<readonly string[]> => {
      type Entry = { action_name: string; target_type: string | null; author_username: string };
      const { body } = await project.call<Entry[]>('GET', '/events?per_page=100');
      return body
        .filter(({ target_type: type }) => type !== null && type !== 'Project')
        .map((entry) => `${entry.author_username} ${entry.action_name} ${entry.target_type}`)
        .sort();
    };

    it(`leads two people ${manner.how} from a fork to a merge that closes an issue, and everybody concerned is told once`, async () => {
      const { path } = manner;
      const mill = await prepare(path);
      const author = await propose(path);
      expect(await told()).toEqual(['ada: assigned, opened a merge request']);
      expect(await todosOf(ada, mill)).toEqual(['review_requested']);

      const reviewer = await arrive('ada', `/ada/${path}/-/merge_requests`);
      await suggest(reviewer);
      expect(await told()).toEqual(['grace: author, commented']);
      await applySuggestion(author);
      expect(await told()).toEqual(['ada: assigned, changed the commits of the merge request']);

      await fallBehind(reviewer, path);
      await rebase(author);
      expect(await told()).toEqual(['ada: assigned, changed the commits of the merge request']);

      await approveAndMerge(reviewer, path);
      expect(await told()).toEqual(['grace: author, merged the merge request', 'hedy: author, closed the issue']);
      for (const user of [ada, grace, hedy, ida]) expect(await todosOf(user, mill)).toEqual([]);
      expect(await fedBy(mill)).toEqual([
        'ada accepted MergeRequest',
        'ada approved MergeRequest',
        'ada closed Issue',
        'ada commented on Note',
        'grace opened MergeRequest',
        'hedy opened Issue',
      ]);
      const merged = await mill.call('GET', '/repository/files/gears.txt?ref=main');
      expect(merged.body).toMatchObject({ content: Buffer.from('fifteen\n').toString('base64') });
    });
  };

  const WITHOUT_SCRIPT = { javaScriptEnabled: false };
  describeEachDeployment('a change on its way', (deploy) =>
    change(deploy, { how: 'with script switched off', path: 'weir', use: pointingHands, options: WITHOUT_SCRIPT }),
  );
  // Where Tab leads is nothing to the database: what the keys bring about there, the mouse does on each.
  describeAnyDeployment('a change on its way', (deploy) =>
    change(deploy, { how: 'by keyboard alone', path: 'mill', use: typingHands, options: {} }),
  );
});

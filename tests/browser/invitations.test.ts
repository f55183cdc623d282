import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../support/browser.js';
import { describeAnyDatabase } from '../support/databases.js';
import { MailServer } from '../support/mail-server.js';
import { TestService } from '../support/test-service.js';
import { until } from '../support/until.js';

const PASSWORD = 'a-difference-engine';

describeAnyDatabase('somebody who is invited', (openTestDatabase) => {
  let mailServer: MailServer;
  let service: TestService;
  let browser: Browser;

  beforeAll(async () => {
    mailServer = await MailServer.start();
    service = await TestService.start(await openTestDatabase(), { smtpUrl: mailServer.url });
    const root = await service.addUser('root', { admin: true, password: PASSWORD });
    const json = { name: 'Engines', path: 'engines' };
    const group = await service.call<{ id: number }>('POST', '/groups', { token: root.token, json });
    const project = { name: 'Compiler', namespace_id: group.body.id };
    await service.call('POST', '/projects', { token: root.token, json: project });
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await service.close();
    await mailServer.down();
  });

  /** A browser of its own, without scripts. */
  const newPage = async (): Promise<Page> => {
    const context = await browser.newContext({ baseURL: service.url, javaScriptEnabled: false });
    return context.newPage();
  };

  it('is mailed a link, creates an account, is a member, and root finds all of it in the audit log', async () => {
    const root = await newPage();
    await root.goto('/users/sign_in');
    await root.getByLabel('Username or email').fill('root');
    await root.getByLabel('Password').fill(PASSWORD);
    await root.getByRole('button', { name: 'Sign in' }).click();
    await root.goto('/groups/engines');
    await root
      .getByRole('link', { name: 'Invitations' })
      .or(root.getByRole('link', { name: 'Settings' }))
      .first()
      .click();
    if (!root.url().endsWith('/-/invitations')) await root.getByRole('link', { name: 'Invitations' }).click();
    await root.getByLabel('E-mail').fill('grace@example.com');
    await root.getByLabel('Role').selectOption('Developer');
    await root.getByRole('button', { name: 'Invite member' }).click();
    expect(await root.getByRole('status').innerText()).toContain('grace@example.com');

    const mailed = () => mailServer.mails.find(({ recipients }) => recipients.includes('grace@example.com'));
    await until(() => Promise.resolve(mailed() !== undefined));
    const mail = mailed();
    expect(mail?.subject).toBe('root Example (@root) invited you to engines');
    const link = /http\S+invitation_token=\S+/.exec(mail?.text ?? '')?.[0] ?? '';

    const grace = await newPage();
    await grace.goto(link);
    await grace.getByLabel('Username').fill('grace');
    await grace.getByLabel('Name', { exact: true }).fill('Grace Hopper');
    await grace.getByLabel('Password').fill(PASSWORD);
    await grace.getByRole('button', { name: 'Create account' }).click();
    expect(new URL(grace.url()).pathname).toBe('/groups/engines');
    expect(await grace.getByRole('status').innerText()).toContain('Welcome, Grace Hopper');
    await grace.goto('/engines/compiler');
    expect(await grace.getByRole('heading', { level: 1 }).innerText()).toContain('Compiler');
    await grace.goto(link);
    expect(await grace.getByRole('heading', { level: 1 }).innerText()).toBe('This link is no good');

    await root.goto('/admin/audit_log');
    const log = await root.getByRole('table').innerText();
    for (const words of ['Somebody was invited by mail', 'An account was created', 'A member was added', 'grace'])
      expect(log).toContain(words);
  });
});

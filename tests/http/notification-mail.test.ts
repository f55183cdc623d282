import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { IDENTITY_TOKENS } from '../../src/infrastructure/composition/identity.tokens.js';
import { NOTIFICATION_TOKENS } from '../../src/infrastructure/composition/notifications.tokens.js';
import { TOKENS } from '../../src/infrastructure/composition/tokens.js';
import { AlertingProject, sendAlert } from '../support/alerting.js';
import { describeEachDeployment } from '../support/deployments.js';
import { MailServer, type ReceivedMail } from '../support/mail-server.js';
import { header, Mailing, rawHeader } from '../support/mailing.js';
import type { TestUser } from '../support/test-service.js';

const MINUTE = 60_000;
const DAY = 86_400_000;

describeEachDeployment('mail about what happens', (deploy) => {
  let mailing: Mailing;
  let server: MailServer;
  let ada: TestUser;
  let grace: TestUser;
  let hedy: TestUser;
  let watcher: TestUser;
  let stranger: TestUser;
  let group: number;
  let project: number;
  const leavers: TestUser[] = [];

  beforeAll(async () => {
    server = await MailServer.start();
    mailing = new Mailing(await deploy({ smtpUrl: server.url, mailFrom: 'Gatehouse <gate@house.example>' }), server);
    const { service } = mailing;
    [ada, grace, hedy, watcher, stranger] = [
      await service.addUser('ada'),
      await service.addUser('grace'),
      await service.addUser('hedy'),
      await service.addUser('watcher'),
      await service.addUser('stranger'),
    ];
    group = await create('/groups', { name: 'Engines', path: 'engines', visibility: 'internal' });
    project = await create('/projects', { name: 'Difference', namespace_id: group });
    for (const { id } of [grace, hedy, watcher]) await addMember(id, 20);
    await set(watcher, `/groups/${group}`, { level: 'watch' });
  });

  afterAll(async () => {
    await mailing.deployment.close();
    await server.down();
  });

  beforeEach(async () => {
    for (const { id } of leavers.splice(0)) await mailing.call(ada, 'DELETE', `/projects/${project}/members/${id}`);
    for (const path of ['', `/projects/${project}`]) await set(grace, path, { level: 'global' });
    await mailing.received();
  });

  const create = async (path: string, json: object, who = ada) =>
    (await mailing.call<{ id: number }>(who, 'POST', path, json)).body.id;
  const addMember = (id: number, level: number) =>
    mailing.call(ada, 'POST', `/projects/${project}/members`, { user_id: id, access_level: level });
  /** Somebody who belongs to the project for the time of one test. */
  const member = async (username: string, level: number, setting: object = {}) => {
    const user = await mailing.service.addUser(username);
    await addMember(user.id, level);
    await set(user, `/projects/${project}`, setting);
    leavers.push(user);
    return user;
  };
  const set = (who: TestUser, path: string, json: object) =>
    mailing.call(who, 'PUT', `${path}/notification_settings`, json);
  const open = async (fields: object = {}, who = ada) => {
    const { body } = await mailing.call<{ iid: number }>(who, 'POST', `/projects/${project}/issues`, {
      title: 'Cogs jam',
      ...fields,
    });
    return `/projects/${project}/issues/${body.iid}`;
  };
  const comment = (path: string, who: TestUser, body: string) => mailing.call(who, 'POST', `${path}/notes`, { body });
  /** Opens an issue and forgets the mail about that. */
  const opened = async (fields: object = {}, who = ada) => {
    const path = await open(fields, who);
    await mailing.received();
    return path;
  };

  describe('goes once to exactly the right people', () => {
    it('when an issue is opened', async () => {
      await open({ assignee_ids: [grace.id], description: 'See @hedy, @ada and @stranger' });
      expect(await mailing.told()).toEqual(['grace: assigned', 'hedy: mentioned', 'watcher: watching']);
    });

    it('when somebody comments', async () => {
      const path = await opened({ assignee_ids: [grace.id] });
      await comment(path, hedy, 'I have seen it too');
      expect(await mailing.told()).toEqual(['ada: author', 'grace: assigned', 'watcher: watching']);
      await comment(path, grace, '@watcher look');
      expect(await mailing.told()).toEqual(['ada: author', 'hedy: commented', 'watcher: mentioned']);
    });

    it('when a mention is added to a comment or a description later', async () => {
      const path = await opened({ assignee_ids: [grace.id], description: 'See @hedy' });
      const { id } = (await comment(path, ada, 'Look')).body as { id: number };
      await mailing.received();
      await mailing.call(ada, 'PUT', path, { description: 'See @hedy, @grace, @ada and @stranger' });
      const [mail] = await mailing.received();
      expect(mail!.text).toContain('ada Example mentioned you in the description:');
      expect(rawHeader(mail!, 'X-Gatehouse-NotificationReason')).toBe('mentioned');
      await mailing.call(ada, 'PUT', `${path}/notes/${id}`, { body: 'Look, @hedy' });
      expect(await mailing.told()).toEqual(['hedy: mentioned']);
      await mailing.call(ada, 'PUT', `${path}/notes/${id}`, { body: 'Look there, @hedy' });
      await mailing.call(ada, 'PUT', path, { title: 'Cogs stick', description: '@grace' });
      expect(await mailing.told()).toEqual([]);
    });

    it('when an issue is closed and reopened', async () => {
      const path = await opened();
      await comment(path, grace, 'One');
      await mailing.received();
      await mailing.call(ada, 'PUT', path, { state_event: 'close' });
      expect(await mailing.told()).toEqual(['grace: commented', 'watcher: watching']);
      await mailing.call(grace, 'PUT', path, { state_event: 'reopen' });
      expect(await mailing.told()).toEqual(['ada: author', 'watcher: watching']);
    });

    it('when an issue is reassigned', async () => {
      const path = await opened({ assignee_ids: [grace.id] });
      await mailing.call(ada, 'PUT', path, { assignee_ids: [hedy.id] });
      expect(await mailing.told()).toEqual(['grace: unassigned', 'hedy: assigned', 'watcher: watching']);
      await mailing.call(ada, 'PUT', path, { assignee_ids: [hedy.id], title: 'No news' });
      expect(await mailing.told()).toEqual([]);
    });

    it('when an issue is due, on the day before and once for each due date', async () => {
      const remind = () => mailing.service.service.container.get(NOTIFICATION_TOKENS.remindOfDueIssues).execute();
      const inDays = (days: number) =>
        new Date(mailing.service.clock.now().getTime() + days * DAY).toISOString().slice(0, 10);
      const path = await opened({ assignee_ids: [grace.id], due_date: inDays(3) });
      await remind();
      expect(await mailing.told()).toEqual([]);
      mailing.advance(2 * DAY);
      await Promise.all([remind(), remind()]);
      await remind();
      expect(await mailing.told()).toEqual(['ada: author', 'grace: assigned']);
      await mailing.call(ada, 'PUT', path, { due_date: inDays(0) });
      await remind();
      expect(await mailing.told()).toEqual(['ada: author', 'grace: assigned']);
      await mailing.call(ada, 'PUT', path, { due_date: inDays(1), state_event: 'close' });
      await mailing.received();
      await remind();
      expect(await mailing.told()).toEqual([]);
    });

    it('when a project is moved', async () => {
      const moved = await create('/projects', { name: 'Movable', namespace_id: group });
      await mailing.call(ada, 'POST', `/projects/${moved}/members`, { user_id: grace.id, access_level: 30 });
      await set(hedy, '', { level: 'watch' });
      await mailing.call(ada, 'PUT', `/projects/${moved}/transfer`, { namespace: 'ada' });
      expect(await mailing.told()).toEqual(['grace: member']);
      await set(hedy, '', { level: 'participating' });
    });

    it('when an alert opens and is resolved, to maintainers and owners where the project wants that', async () => {
      const place = await AlertingProject.create(mailing.service, ada, 'alarming');
      await place.call('POST', '/members', { user_id: grace.id, access_level: 40 });
      await place.call('POST', '/members', { user_id: hedy.id, access_level: 30 });
      const integration = await place.integrate();
      await sendAlert(integration, { title: 'Quiet', fingerprint: 'quiet' });
      expect(await mailing.told()).toEqual([]);
      await place.call('PUT', '/alert_settings', { send_email: true });
      await sendAlert(integration, { title: 'Down\r\nBcc: stranger@example.com', fingerprint: 'one' });
      await sendAlert(integration, { title: 'Down', fingerprint: 'one' });
      expect(await mailing.told()).toEqual(['ada: maintainer', 'grace: maintainer']);
      await sendAlert(integration, { title: 'Down', fingerprint: 'one', end_time: new Date().toISOString() });
      expect(await mailing.told()).toEqual(['ada: maintainer', 'grace: maintainer']);
      const [quiet] = await place.alerts('&search=quiet');
      await place.call('PUT', `/alert_management_alerts/${quiet?.iid ?? 0}`, { status: 'resolved' });
      expect(await mailing.told()).toEqual(['grace: maintainer']);
    });
  });

  describe('follows what people chose', () => {
    it('at every level', async () => {
      const people: TestUser[] = [];
      for (const level of ['disabled', 'mention', 'participating', 'watch', 'custom']) {
        people.push(await member(`level-${level}`, 20, { level }));
      }
      people.push(await member('level-choosy', 20, { level: 'custom', new_note: true }));
      const path = await opened({ assignee_ids: people.map(({ id }) => id) });
      await comment(path, ada, 'To all');
      expect(await mailing.told()).toEqual([
        'level-choosy: assigned',
        'level-participating: assigned',
        'level-watch: assigned',
        'watcher: watching',
      ]);
      await comment(path, ada, people.map(({ username }) => `@${username}`).join(' '));
      expect(await mailing.told()).toEqual([
        'level-choosy: mentioned',
        'level-custom: mentioned',
        'level-mention: mentioned',
        'level-participating: mentioned',
        'level-watch: mentioned',
        'watcher: watching',
      ]);
    });

    it('by an explicit subscription and its end, which a mention alone passes over', async () => {
      const path = await opened();
      await mailing.call(grace, 'POST', `${path}/subscribe`);
      await set(grace, `/projects/${project}`, { level: 'disabled' });
      await mailing.call(watcher, 'POST', `${path}/subscribe`);
      await mailing.call(watcher, 'POST', `${path}/unsubscribe`);
      await comment(path, ada, 'For subscribers');
      expect(await mailing.told()).toEqual(['grace: subscribed']);
      await comment(path, ada, 'But @watcher');
      expect(await mailing.told()).toEqual(['grace: subscribed', 'watcher: mentioned']);
    });

    it('by subscriptions to labels, when something that they may read is opened with one or gets one', async () => {
      const labels = `/projects/${project}/labels`;
      const [leak] = [await create(labels, { name: 'leak', color: '#d9534f' })];
      await create(labels, { name: 'other', color: '#d9534f' });
      const guest = await member('labelled-guest', 10);
      for (const who of [ada, grace, guest, stranger]) await mailing.call(who, 'POST', `${labels}/${leak}/subscribe`);
      await set(grace, `/projects/${project}`, { level: 'disabled' });
      const path = await open({ labels: 'leak' });
      const wanted = ['grace: subscribed_to_label', 'labelled-guest: subscribed_to_label'];
      expect(await mailing.told()).toEqual([...wanted, 'watcher: watching']);
      // It has the label already.
      await mailing.call(ada, 'PUT', path, { add_labels: 'leak,other' });
      expect(await mailing.told()).toEqual([]);
      const plain = await opened();
      await mailing.call(ada, 'PUT', plain, { add_labels: 'other,leak' });
      const mails = await mailing.received();
      expect(mails.map(({ recipients }) => recipients.join()).sort()).toEqual([
        'grace@example.com',
        'labelled-guest@example.com',
      ]);
      expect(mails[0]?.text).toContain('ada Example added the labels “leak”, “other” to the issue.');
      await mailing.call(ada, 'PUT', plain, { remove_labels: 'leak' });
      for (const verb of ['subscribe', 'unsubscribe']) await mailing.call(grace, 'POST', `${plain}/${verb}`);
      await mailing.call(ada, 'POST', `${plain}/notes`, { body: '/label ~leak' });
      expect(await mailing.told()).toEqual(['labelled-guest: subscribed_to_label']);
      // Guests don't see confidential issues.
      await open({ labels: 'leak', confidential: true });
      expect(await mailing.told()).toEqual(['grace: subscribed_to_label', 'watcher: watching']);
      await mailing.call(grace, 'POST', `${labels}/${leak}/unsubscribe`);
      await open({ labels: 'leak', confidential: true });
      expect(await mailing.told()).toEqual(['watcher: watching']);
    });

    it('by subscriptions to labels of groups, of what they may read in any project there', async () => {
      await create(`/groups/${group}/labels`, { name: 'odor', color: '#d9534f' });
      const other = await create('/projects', { name: 'Analytical', namespace_id: group });
      await mailing.call(ada, 'POST', `/projects/${other}/members`, { user_id: hedy.id, access_level: 20 });
      // Of the group, which strangers see as well, or by one of its projects.
      expect((await mailing.call(stranger, 'POST', `/groups/${group}/labels/odor/subscribe`)).status).toBe(201);
      for (const who of [grace, hedy])
        expect((await mailing.call(who, 'POST', `/projects/${project}/labels/odor/subscribe`)).status).toBe(201);
      for (const who of [grace, hedy]) await set(who, `/groups/${group}`, { level: 'disabled' });
      const path = await open({ labels: 'odor' });
      const wanted = ['grace: subscribed_to_label', 'hedy: subscribed_to_label'];
      expect(await mailing.told()).toEqual([...wanted, 'watcher: watching']);
      await mailing.call(ada, 'POST', `/projects/${other}/issues`, { title: 'Smoke', labels: 'odor' });
      expect(await mailing.told()).toEqual(['hedy: subscribed_to_label']);
      await mailing.call(grace, 'POST', `/groups/${group}/labels/odor/unsubscribe`);
      await mailing.call(ada, 'PUT', path, { labels: '' });
      await mailing.call(ada, 'PUT', path, { add_labels: 'odor' });
      expect(await mailing.told()).toEqual(['hedy: subscribed_to_label']);
      await mailing.call(hedy, 'POST', `/groups/${group}/labels/odor/unsubscribe`);
      for (const who of [grace, hedy]) await set(who, `/groups/${group}`, { level: 'global' });
    });

    it('to the chosen address while it is theirs, and to the primary one when it is not', async () => {
      const { service } = mailing;
      const email = await service.service.container.get(TOKENS.unitOfWork).execute(({ emails }) =>
        emails.add({
          userId: grace.id,
          address: 'grace@navy.example',
          primary: false,
          confirmedAt: service.clock.now(),
          recoverySince: null,
          createdAt: service.clock.now(),
        }),
      );
      await set(grace, '', { notification_email: 'grace@navy.example' });
      const path = await opened({ assignee_ids: [grace.id] });
      const recipients = async () => (await mailing.received()).flatMap((mail) => mail.recipients).sort();
      await comment(path, ada, 'One');
      expect(await recipients()).toEqual(['grace@navy.example', 'watcher@example.com']);
      await mailing.call(grace, 'DELETE', `/user/emails/${email.id}`);
      // The notice that an address was removed.
      expect(await recipients()).toEqual(['grace@example.com']);
      await comment(path, ada, 'Two');
      expect(await recipients()).toEqual(['grace@example.com', 'watcher@example.com']);
    });
  });

  it('is never for those who may not read it, mentioned, watching or subscribed as they may be', async () => {
    await set(stranger, '', { level: 'watch' });
    await member('guest', 10, { level: 'watch' });
    const path = await open({ confidential: true, description: '@guest @stranger @grace' });
    expect(await mailing.told()).toEqual(['grace: mentioned', 'watcher: watching']);
    await mailing.call(ada, 'PUT', path, { confidential: false });
    await comment(path, ada, 'Hello');
    expect(await mailing.told()).toEqual(['grace: mentioned_before', 'guest: mentioned_before', 'watcher: watching']);
  });

  describe('in its head', () => {
    it('says why, threads by issue, can be unsubscribed by one click, and is answered by no machine', async () => {
      const path = await open({ assignee_ids: [grace.id], title: 'Größe der „Räder“' });
      await comment(path, ada, 'First <b>comment</b>');
      const mails = (await mailing.received()).filter((mail) => mail.recipients.includes('grace@example.com'));
      // Two mails may overtake one another.
      const [first, second] = [...mails].sort((a, b) => (a.subject ?? '').length - (b.subject ?? '').length);
      expect(mails).toHaveLength(2);
      expect(first?.subject).toBe(`Difference | Größe der „Räder“ (#${path.split('/').at(-1) ?? ''})`);
      expect(second?.subject).toBe(`Re: ${first?.subject ?? ''}`);
      expect(first?.messageId).not.toBe(second?.messageId);
      expect(first?.references).toEqual(second?.references);
      expect(second?.inReplyTo).toMatch(/^<issue\.\d+@house\.example>$/);
      expect(second?.from?.value).toEqual([{ name: 'ada Example', address: 'gate@house.example' }]);
      expect(header(second!, 'Auto-Submitted')).toBe('auto-generated');
      expect(header(second!, 'Precedence')).toBe('list');
      expect(header(second!, 'X-Gatehouse-Project')).toBe('Difference');
      expect(header(second!, 'X-Gatehouse-Project-Path')).toBe('engines/difference');
      expect(header(second!, 'X-Gatehouse-NotificationReason')).toBe('assigned');
      expect(rawHeader(second!, 'List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click');
      expect(rawHeader(second!, 'List-Unsubscribe')).toMatch(/^<http.*\/-\/unsubscribe\/[\w-]+>$/);
      expect(second?.text).toContain('First <b>comment</b>');
      expect(second?.html).toContain('First &lt;b&gt;comment&lt;/b&gt;');
      const [link] = /http\S+\/-\/issues\/\d+/.exec(second?.text ?? '') ?? [];
      expect(link).toBe(
        `${mailing.service.service.container.get(TOKENS.publicAddress).baseUrl}/engines/difference/-/issues/${path.split('/').at(-1) ?? ''}`,
      );
    });

    it('quotes Markdown as HTML with whole addresses, made for its reader, and as it was written in the text', async () => {
      const guest = await member('curious', 10);
      const secret = await open({ title: 'Hidden', confidential: true });
      const [hidden, base] = [
        secret.split('/').at(-1) ?? '',
        mailing.service.service.container.get(TOKENS.publicAddress).baseUrl,
      ];
      await mailing.received();
      const description =
        `**Oil** drips, see @grace, #${hidden} and [the plan](plan.md).\n\n| a |\n|---|\n| 1 |\n\n` +
        '<script>alert(1)</script> [x](javascript:alert(1))';
      await open({ description, assignee_ids: [grace.id, guest.id] });
      const mails = await mailing.received();
      const of = (name: string) => mails.find(({ recipients }) => recipients.includes(`${name}@example.com`));
      const html = of('grace')?.html || '';
      for (const made of ['<strong>Oil</strong>', '<td>1</td>', `<a href="${base}/grace">@grace</a>`])
        expect(html).toContain(made);
      expect(html).toMatch(new RegExp(`href="${base}/engines/difference/-/blob/[^"]+/plan\\.md"`));
      expect(html).toContain(`<a href="${base}/engines/difference/-/issues/${hidden}">#${hidden}</a>`);
      expect(html).not.toMatch(/<script|href="javascript/);
      expect(of('grace')?.text).toContain(description.split('\n')[0]);
      // Nobody is led to what is not for them to see.
      expect(of('curious')?.html).toContain(`#${hidden} and`);
    });

    it('holds nothing that a title, a name or a project put there to be a header', async () => {
      const evil = 'x\r\nBcc: stranger@example.com\r\nX-Evil: 1\u2028\u0085 "quoted" <stranger@example.com>, y';
      const { unitOfWork } = { unitOfWork: mailing.service.service.container.get(TOKENS.unitOfWork) };
      await unitOfWork.execute(({ users }) =>
        users.update(hedy.id, { name: 'Hedy "<a@evil.example>", \r\nBcc: b@evil.example' }),
      );
      await open({ title: evil, assignee_ids: [grace.id, hedy.id] }, hedy);
      await open({ title: evil, assignee_ids: [hedy.id] });
      const mails = await mailing.received();
      expect(mails.flatMap((mail) => mail.recipients).sort()).toEqual([
        'grace@example.com',
        'hedy@example.com',
        'watcher@example.com',
        'watcher@example.com',
      ]);
      for (const mail of mails) {
        expect([...mail.headers.keys()].filter((name) => ['bcc', 'x-evil', 'cc'].includes(name))).toEqual([]);
        expect(mail.from?.value.map(({ address }) => address)).toEqual(['gate@house.example']);
        expect([mail.to].flat().flatMap((to) => to?.value.map(({ address }) => address))).toEqual([...mail.recipients]);
        expect(mail.subject).toContain('x Bcc: stranger@example.com X-Evil: 1');
        // Nor lines of its own in the text.
        expect(mail.text).toContain('x Bcc: stranger@example.com X-Evil: 1');
      }
      await unitOfWork.execute(({ users }) => users.update(hedy.id, { name: 'Hedy Lamarr' }));
    });
  });

  describe('is unsubscribed from by its link', () => {
    const linkOf = async (who: TestUser) => {
      const path = await open({ assignee_ids: [who.id] });
      const mail = (await mailing.received()).find(({ recipients }) =>
        recipients.includes(`${who.username}@example.com`),
      );
      return { path, link: rawHeader(mail!, 'List-Unsubscribe').slice(1, -1) };
    };

    it('by one POST without a session, as mail programs send it, which is not redirected', async () => {
      for (const body of [new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }), oneClickForm()]) {
        const { path, link } = await linkOf(grace);
        const { body: before } = await mailing.call<{ subscribed: boolean }>(grace, 'GET', path);
        const answer = await fetch(link, { method: 'POST', body, redirect: 'manual' });
        expect([before.subscribed, answer.status]).toEqual([true, 200]);
        expect((await fetch(link, { method: 'POST', body: 'List-Unsubscribe=One-Click' })).status).toBe(200);
        expect((await mailing.call(grace, 'GET', path)).body).toMatchObject({ subscribed: false });
        await comment(path, ada, 'Anybody?');
        expect(await mailing.told()).toEqual(['watcher: watching']);
      }
    });

    it('by a page that asks first, and changes nothing by being looked at', async () => {
      const { path, link } = await linkOf(grace);
      const page = await fetch(link);
      expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Unsubscribe')]);
      expect((await mailing.call(grace, 'GET', path)).body).toMatchObject({ subscribed: true });
      const sent = await fetch(link, {
        method: 'POST',
        body: new URLSearchParams({ asked: 'true' }),
        redirect: 'manual',
      });
      expect([sent.status, sent.headers.get('location')]).toEqual([303, `${new URL(link).pathname}?done=true`]);
      expect((await mailing.call(grace, 'GET', path)).body).toMatchObject({ subscribed: false });
    });

    it('and by no link that the service did not make', async () => {
      const { link } = await linkOf(grace);
      const forged = [`${link}x`, link.slice(0, -2), link.replace(/[^/]+$/, 'abc'), link.replace(/[^/]+$/, '%00')];
      for (const address of forged) {
        expect([400, 404]).toContain((await fetch(address, { method: 'POST' })).status);
        expect([400, 404]).toContain((await fetch(address)).status);
      }
    });

    const oneClickForm = (): FormData => {
      const form = new FormData();
      form.set('List-Unsubscribe', 'One-Click');
      return form;
    };
  });

  describe('that can’t be sent', () => {
    it('while the server is down waits, longer each time, and then arrives once', async () => {
      const path = await opened({ assignee_ids: [grace.id] });
      await server.down();
      await comment(path, ada, 'While you were away');
      await mailing.settle();
      mailing.advance(MINUTE);
      await mailing.settle();
      await server.up();
      mailing.advance(60 * MINUTE);
      expect(await mailing.told()).toEqual(['grace: assigned', 'watcher: watching']);
    });

    it('and may have arrived is sent again as the same mail', async () => {
      const path = await opened({ assignee_ids: [grace.id] });
      server.answersLost = true;
      await comment(path, ada, 'Once or twice');
      const first = await mailing.received();
      server.answersLost = false;
      mailing.advance(MINUTE);
      const second = await mailing.received();
      const ids = (mails: typeof first) => mails.map(({ messageId }) => messageId).sort();
      expect(first).toHaveLength(2);
      expect(ids(second)).toEqual(ids(first));
    });

    it('since its node died on the way is sent by another after a while', async () => {
      const path = await opened({ assignee_ids: [grace.id] });
      await server.down();
      await comment(path, ada, 'Who carries on?');
      await mailing.settle();
      await server.up();
      const now = new Date(mailing.service.clock.now().getTime() + MINUTE);
      const until = new Date(now.getTime() + 5 * MINUTE);
      const { unitOfWork } = { unitOfWork: mailing.service.service.container.get(TOKENS.unitOfWork) };
      // What a node does before it sends, and then it is gone; before it is time for any other.
      await unitOfWork.execute(({ mailOutbox }) => mailOutbox.lease(now, until, 100));
      mailing.advance(MINUTE);
      for (const { service } of mailing.deployment.nodes)
        await service.container.get(NOTIFICATION_TOKENS.deliverMail).runDue();
      expect(server.take()).toEqual([]);
      mailing.advance(6 * MINUTE);
      expect(await mailing.told()).toEqual(['grace: assigned', 'watcher: watching']);
    });

    it('as its address is refused for good is given up and counted, and for now is tried again', async () => {
      const path = await opened({ assignee_ids: [grace.id, hedy.id] });
      server.refusals.set('grace@example.com', { code: 550, text: 'No such user' });
      server.refusals.set('hedy@example.com', { code: 450, text: 'Greylisted' });
      await comment(path, ada, 'Hello');
      expect(await mailing.told()).toEqual(['watcher: watching']);
      server.refusals.clear();
      mailing.advance(2 * MINUTE);
      expect(await mailing.told()).toEqual(['hedy: assigned']);
      const { query } = mailing.service.service.database.reader;
      expect(await query('queued_mails').where({ state: 'refused' }).first('problem')).toMatchObject({
        problem: expect.stringContaining('No such user'),
      });
      const metrics = await Promise.all(
        mailing.deployment.nodes.map(async ({ nodeUrl }) => (await fetch(`${nodeUrl}/-/metrics`)).text()),
      );
      expect(metrics.join('\n')).toMatch(/gatehouse_mails_total\{outcome="refused"\} 1/);
    });

    it('as its reader may not read it any more is withdrawn', async () => {
      const path = await opened({ assignee_ids: [grace.id] });
      const leaver = await member('leaver', 20);
      const blocked = await member('blocked', 20);
      await comment(path, leaver, 'I was here');
      await comment(path, blocked, 'So was I');
      await mailing.received();
      await server.down();
      await comment(path, ada, 'Secrets');
      await mailing.settle();
      await mailing.call(ada, 'DELETE', `/projects/${project}/members/${leaver.id}`);
      await mailing.service.service.container
        .get(TOKENS.unitOfWork)
        .execute(({ users }) => users.update(blocked.id, { state: 'blocked' }));
      await mailing.call(grace, 'POST', `${path}/unsubscribe`);
      await server.up();
      mailing.advance(60 * MINUTE);
      expect(await mailing.told()).toEqual(['watcher: watching']);
    });

    it('as the comment, the issue or the project is gone is not sent', async () => {
      const doomed = await create('/projects', { name: 'Doomed' });
      const issue = async (who: TestUser) => {
        const { body } = await mailing.call<{ iid: number }>(ada, 'POST', `/projects/${doomed}/issues`, {
          title: 'Doomed',
          assignee_ids: [who.id],
        });
        return `/projects/${doomed}/issues/${body.iid}`;
      };
      await mailing.call(ada, 'POST', `/projects/${doomed}/members`, { user_id: grace.id, access_level: 20 });
      await server.down();
      const [removed, kept] = [await issue(grace), await issue(grace)];
      const { body: note } = await mailing.call<{ id: number }>(ada, 'POST', `${kept}/notes`, { body: 'Never mind' });
      await mailing.settle();
      await mailing.call(ada, 'DELETE', removed);
      await mailing.call(ada, 'DELETE', `${kept}/notes/${note.id}`);
      await server.up();
      mailing.advance(60 * MINUTE);
      expect(await mailing.told()).toEqual(['grace: assigned']);
      await server.down();
      await comment(kept, ada, 'The last');
      await mailing.settle();
      await mailing.call(ada, 'DELETE', `/projects/${doomed}`);
      await server.up();
      mailing.advance(60 * MINUTE);
      expect(await mailing.told()).toEqual([]);
    });
  });

  it('brings the links of forgotten passwords and new addresses too, and forgets them when they are sent', async () => {
    const { forgottenPassword } = mailing.service.service.container.get(IDENTITY_TOKENS.identity);
    await forgottenPassword.ask('grace@example.com');
    await mailing.call(grace, 'POST', '/user/emails', { email: 'second@example.com' });
    const mails = await mailing.received();
    const seen = mails.map(({ recipients, subject }) => [recipients.join(), subject]).sort();
    expect(seen).toEqual([
      ['grace@example.com', 'Choose a new password'],
      ['grace@example.com', 'Your account: An e-mail address was added: second@example.com'],
      ['second@example.com', 'Confirm your e-mail address'],
    ]);
    const confirmation = mails.find(({ recipients }) => recipients.includes('second@example.com'));
    const [link = ''] = /http\S+confirmation_token=\S+/.exec(confirmation?.text ?? '') ?? [];
    expect((await fetch(link)).status).toBe(200);
    const { query } = mailing.service.service.database.reader;
    expect(await query('queued_mails').whereNull('cause_id').select('id')).toEqual([]);
  });

  describe('of pipelines', () => {
    const tell = async (sha: string, state: string, name = 'unit tests', who = ada) => {
      const said = await mailing.call(who, 'POST', `/projects/${project}/statuses/${sha}`, { state, name });
      expect([state, said.status]).toEqual([state, 201]);
    };
    const write = async (branch: string, more: object = {}) => {
      const actions = [{ action: 'create', file_path: `${branch}.txt`, content: `${branch}\n` }];
      const json = { branch, commit_message: `Write ${branch}`, actions, ...more };
      const { body } = await mailing.call<{ id: string }>(ada, 'POST', `/projects/${project}/repository/commits`, json);
      return body.id;
    };
    const subjectsOf = (mails: readonly ReceivedMail[]) =>
      mails.map((mail) => `${rawHeader(mail, 'to')}: ${header(mail, 'subject')}`).sort();
    const about = (name: string, words: string, sha: string) =>
      `${name} Example <${name}@example.com>: Difference | Pipeline #${words} (${sha.slice(0, 8)})`;

    it('tells whoever watches, and whose merge request it checks, of an end once, until it ends otherwise', async () => {
      await write('main');
      const proposer = await member('proposer', 30);
      const chooser = await member('chooser', 20, { level: 'custom', success_pipeline: true, failed_pipeline: false });
      await member('newcomer', 10, { level: 'watch' });
      const sha = await write('gears', { start_branch: 'main' });
      const asked = { source_branch: 'gears', target_branch: 'main', title: 'Gears' };
      expect((await mailing.call(proposer, 'POST', `/projects/${project}/merge_requests`, asked)).status).toBe(201);
      await mailing.received();
      await tell(sha, 'running');
      await tell(sha, 'failed');
      const failed = await mailing.received();
      expect(subjectsOf(failed)).toEqual([
        about('proposer', '1 of gears failed', sha),
        about('watcher', '1 of gears failed', sha),
      ]);
      const told = failed.find((mail) => rawHeader(mail, 'to').startsWith('proposer'))!;
      expect(header(told, 'x-gatehouse-notificationreason')).toBe('member');
      expect(told.text).toContain('Pipeline #1 of gears failed. These checks did: unit tests.');
      expect(told.text).toContain('it checks a merge request of yours');
      expect(told.text).toMatch(/\/engines\/difference\/-\/pipelines\/\d+/);
      await tell(sha, 'running');
      await tell(sha, 'failed');
      expect(await mailing.received()).toEqual([]);
      await tell(sha, 'success');
      expect(subjectsOf(await mailing.received())).toEqual(
        ['chooser', 'proposer', 'watcher'].map((name) => about(name, '1 of gears was fixed', sha)),
      );
      expect(chooser.id).not.toBe(proposer.id);
    });

    it('tells of a merge request that is opened with a label, or gets one, who subscribed to the label', async () => {
      const label = await create(`/projects/${project}/labels`, { name: 'jams', color: '#d9534f' });
      await mailing.call(grace, 'POST', `/projects/${project}/labels/${label}/subscribe`);
      for (const branch of ['springs', 'levers']) await write(branch, { start_branch: 'main' });
      const propose = (branch: string, fields: object = {}) =>
        mailing.call<{ iid: number }>(ada, 'POST', `/projects/${project}/merge_requests`, {
          ...{ source_branch: branch, target_branch: 'main', title: branch },
          ...fields,
        });
      await propose('springs', { labels: 'jams' });
      expect(await mailing.told()).toEqual(['grace: subscribed_to_label', 'watcher: watching']);
      const { iid } = (await propose('levers')).body;
      await mailing.received();
      await mailing.call(ada, 'PUT', `/projects/${project}/merge_requests/${iid}`, { add_labels: 'jams' });
      const [mail, ...others] = await mailing.received();
      expect([mail?.recipients, others]).toEqual([['grace@example.com'], []]);
      expect(mail?.text).toContain('ada Example added the label “jams” to the merge request.');
    });
  });
});

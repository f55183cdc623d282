import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Router } from 'express';
import { Sensitive } from '../../src/application/shared/sensitive.js';
import { TOKENS } from '../../src/infrastructure/composition/tokens.js';
import { describeEachDatabase } from '../support/databases.js';
import { FormBrowser, PASSWORD } from '../support/form-browser.js';
import { plantReceipt } from '../support/planted-receipt.js';
import { mailedSecret } from '../support/queued-mails.js';
import { TestService, type TestUser } from '../support/test-service.js';
import { turnOnTwoFactor } from '../support/two-factor.js';

const ASKED = 'Confirm that it is you';
const OLD_PROOF_MS = 11 * 60_000;

interface Layer {
  readonly route?: { readonly path: unknown; readonly methods: Readonly<Record<string, boolean>> };
  readonly handle?: Partial<Router>;
}

/** Every page and form below `/admin`, with an id where one belongs. */
const addresses = (layers: readonly Layer[]): (readonly ['get' | 'post', string])[] =>
  layers.flatMap(({ route, handle }) => {
    const below = handle?.stack === undefined ? [] : addresses(handle.stack as unknown as Layer[]);
    if (typeof route?.path !== 'string' || !route.path.startsWith('/admin')) return below;
    const path = route.path.replace(':id', '1');
    return [...below, [route.methods['post'] === true ? 'post' : 'get', path] as const];
  });

describeEachDatabase('the admin area', (openTestDatabase) => {
  let service: TestService;
  let boss: FormBrowser;
  let person: TestUser;
  let count = 0;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase(), {
      smtpUrl: new Sensitive('smtp://127.0.0.1:9'),
      rateLimits: { api: 'off', alerts: 'off', signIn: 'off' },
    });
    const { token } = await service.addUser('boss', { admin: true, password: PASSWORD });
    // The one with the id that stands in every address.
    await service.call('POST', '/user/runners', { token, json: { runner_type: 'instance_type' } });
    boss = await signedIn('boss');
    await plantReceipt(service.service.container.get(TOKENS.database), '7f3a91c2');
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    person = await service.addUser(`person${(count += 1)}`, { password: PASSWORD });
  });

  const signedIn = async (name: string): Promise<FormBrowser> => {
    const browser = new FormBrowser(service.url);
    await browser.signIn(name);
    return browser;
  };
  const read = async (path: string, who = boss) => (await who.get(path)).text();
  const send = async (action: string, values: Record<string, string> = {}, who = boss) => {
    const response = await who.submit('/profile/account', action, values);
    return { status: response.status, location: response.headers.get('location'), html: await response.text() };
  };
  const act = (name: string) => send(`/admin/users/${person.id}/${name}`);
  const mayCall = async () => (await service.call('GET', '/user', { token: person.token })).status;

  describe('who may', () => {
    const all = () => addresses(service.service.container.get(TOKENS.pagesRouter).stack as unknown as Layer[]);

    it.each(['a visitor', 'somebody who is signed in'])('does not exist for %s', async (who) => {
      const browser = who === 'a visitor' ? new FormBrowser(service.url) : await signedIn(person.username);
      expect(all().length).toBeGreaterThan(20);
      for (const [method, path] of all()) {
        const response = method === 'get' ? await browser.get(path) : await send(path, {}, browser);
        expect([path, response.status]).toEqual([path, 404]);
      }
    });

    it('is there for administrators, all of it', async () => {
      for (const [method, path] of all().filter(([, address]) => !address.includes('applications/1'))) {
        if (method !== 'get') continue;
        const { status, headers } = await boss.get(path);
        // The address of a form without a page of its own leads to the one above it.
        const page = status === 303 ? await boss.get(headers.get('location') ?? '') : { status };
        expect([path, page.status]).toEqual([path, 200]);
      }
    });

    it('ends with the role', async () => {
      const other = await signedIn(person.username);
      expect((await other.get('/admin')).status).toBe(404);
      await act('promote');
      expect((await other.get('/admin')).status).toBe(200);
      await act('demote');
      expect((await other.get('/admin')).status).toBe(404);
    });
  });

  it('asks who one is before an account is changed, once the last proof is old, and keeps what was typed', async () => {
    const administrator = await signedIn('boss');
    service.clock.advance(OLD_PROOF_MS);
    for (const name of ['block', 'promote', 'disable_two_factor', 'send_password_link']) {
      const { status, html } = await send(`/admin/users/${person.id}/${name}`, {}, administrator);
      expect([name, status, html.includes(ASKED)]).toEqual([name, 200, true]);
    }
    const asked = await send('/admin/users', { username: 'kept', name: 'Kept', email: 'k@example.com' }, administrator);
    expect(asked.html).toContain('name="username" value="kept"');
    expect(await mayCall()).toBe(200);
    const wrong = await send(`/admin/users/${person.id}/block`, { current_password: 'wrong' }, administrator);
    expect(wrong.status).toBe(401);
    const right = await send(`/admin/users/${person.id}/block`, { current_password: PASSWORD }, administrator);
    expect(right.location).toBe(`/admin/users/${person.id}`);
    expect(await mayCall()).toBe(403);
    boss = administrator;
  });

  it('finds people by name and by state', async () => {
    await act('block');
    const found = await read(`/admin/users?search=${person.username}&state=blocked`);
    expect(found).toContain(`href="/admin/users/${person.id}"`);
    expect(await read(`/admin/users?search=${person.username}&state=active`)).toContain('Nobody was found');
  });

  it('creates an account that gets a link to choose a password', async () => {
    const made = await send('/admin/users', { username: 'newcomer', name: 'New Comer', email: 'new@example.com' });
    expect(made.location).toMatch(/^\/admin\/users\/\d+$/);
    expect(await read(made.location ?? '')).toContain('The account @newcomer was created.');
    const link = await mailedSecret(service, 'new@example.com', 'reset_password');
    expect(link).toMatch(/.{20}/);
    const again = await send('/admin/users', { username: 'newcomer', name: '', email: 'x@example.com' });
    expect(again.status).toBe(400);
    expect(again.html).toContain('value="x@example.com"');
  });

  it('changes a name and an address, and tells what was refused', async () => {
    const changes = { username: person.username, name: 'Another Name', email: 'another@example.com' };
    expect((await send(`/admin/users/${person.id}`, changes)).location).toBe(`/admin/users/${person.id}`);
    const page = await read(`/admin/users/${person.id}`);
    expect(page).toContain('Another Name');
    expect(page).toContain('another@example.com (primary)');
    const refused = await send(`/admin/users/${person.id}`, { ...changes, username: 'boss' });
    expect([refused.status, refused.html.includes('already been taken')]).toEqual([400, true]);
  });

  it('blocks and unblocks, turns off a second factor, and keeps the last administrator', async () => {
    const secret = await turnOnTwoFactor(service, person.id);
    expect(secret).toBeDefined();
    expect(await read(`/admin/users/${person.id}`)).toContain('Turn off the second factor');
    await act('disable_two_factor');
    expect(await read(`/admin/users/${person.id}`)).not.toContain('Turn off the second factor');
    await act('block');
    expect(await mayCall()).toBe(403);
    await act('unblock');
    expect(await mayCall()).toBe(200);
    const own = /href="\/admin\/users\/(\d+)">boss/.exec(await read('/admin/users?search=boss'))?.[1] ?? '';
    const last = await send(`/admin/users/${own}/demote`);
    expect(last.status).toBe(400);
    expect(await read('/admin')).toContain('Administration');
    const self = await send(`/admin/users/${own}/block`);
    expect(self.html).toContain('You cannot block yourself');
  });

  it('shows groups, projects and applications of everybody', async () => {
    await service.call('POST', '/groups', { token: person.token, json: { name: 'Hidden', path: `hidden${count}` } });
    await service.call('POST', '/projects', { token: person.token, json: { name: `secret${count}` } });
    expect(await read('/admin/groups?search=hidden')).toContain(`/groups/hidden${count}`);
    expect(await read('/admin/projects?search=secret')).toContain(`/${person.username}/secret${count}`);
  });

  it('registers an application of the installation, shows its secret once, and removes it after asking', async () => {
    const form = { name: 'Everybody', redirect_uri: 'https://app.example/cb', scopes: 'api', confidential: 'true' };
    expect((await send('/admin/applications', form)).location).toBe('/admin/applications');
    const shown = await read('/admin/applications');
    expect(shown).toContain('Client Secret, shown this once');
    expect(await read('/admin/applications')).not.toContain('Client Secret, shown this once');
    const id = /\/admin\/applications\/(\d+)\/remove/.exec(shown)?.[1] ?? '';
    expect(await read(`/admin/applications/${id}/remove`)).toContain('This can’t be undone');
    await send(`/admin/applications/${id}/remove`);
    expect(await read('/admin/applications')).toContain('Application “Everybody” removed.');
    expect((await boss.get(`/admin/applications/${id}/remove`)).status).toBe(404);
  });

  it('makes a runner of the installation, shows its token once, pauses it, and removes it after asking', async () => {
    const form = { description: 'For all', tags_list: 'linux, gpu', run_untagged: 'true' };
    expect((await send('/admin/runners', form)).location).toBe('/admin/runners');
    const shown = await read('/admin/runners');
    const [, secret] = /id="new-token"[^>]*value="(glrt-[^"]+)"/.exec(shown)!;
    expect(shown).toContain(`value="gatehouse runner --url ${service.url} --token ${secret}"`);
    expect(shown).toMatch(/For all<\/bdi>[^]*Never heard of[^]*Installation[^]*jobs without tags, too/);
    expect(await read('/admin/runners')).not.toContain('glrt-');
    const id = [...shown.matchAll(/\/admin\/runners\/(\d+)\/remove/g)].at(-1)![1]!;
    for (const [act, said] of [
      ['pause', 'takes no more jobs'],
      ['resume', 'takes jobs again'],
    ] as const) {
      expect((await send(`/admin/runners/${id}/${act}`)).location).toBe('/admin/runners');
      const page = await read('/admin/runners');
      expect([page.includes(`Runner For all ${said}.`), page.includes('>Paused<')]).toEqual([true, act === 'pause']);
    }
    expect(await read(`/admin/runners/${id}/remove`)).toContain('It can’t be brought back.');
    await send(`/admin/runners/${id}/remove`);
    expect(await read('/admin/runners')).toContain('Runner For all removed.');
    expect((await boss.get(`/admin/runners/${id}/remove`)).status).toBe(404);
    const refused = await send('/admin/runners', { description: 'Small' });
    expect([refused.status, refused.html.includes('can not be empty')]).toEqual([400, true]);
  });

  it('lists the runners of projects, and whose they are', async () => {
    const { token } = person;
    const made = await service.call<{ id: number }>('POST', '/projects', { token, json: { name: `yard${count}` } });
    const json = { runner_type: 'project_type', project_id: made.body.id, description: 'Of one' };
    await service.call('POST', '/user/runners', { token, json });
    expect(await read('/admin/runners')).toMatch(
      new RegExp(`Of one</bdi>[^]*of <a href="/${person.username}/yard${count}">`),
    );
  });

  it('asks who one is before a runner of the installation is made or removed', async () => {
    const administrator = await signedIn('boss');
    service.clock.advance(OLD_PROOF_MS);
    for (const path of ['/admin/runners', '/admin/runners/1/remove']) {
      const { status, html } = await send(path, { description: 'Kept' }, administrator);
      expect([path, status, html.includes(ASKED)]).toEqual([path, 200, true]);
    }
    expect(await read('/admin/runners', administrator)).not.toContain('Kept');
    const form = { description: 'Kept', run_untagged: 'true', current_password: PASSWORD };
    expect((await send('/admin/runners', form, administrator)).location).toBe('/admin/runners');
    expect(await read('/admin/runners', administrator)).toContain('Runner Kept made.');
    boss = administrator;
  });

  it('shows mails that wait or failed, with the reason, and sends them again', async () => {
    await act('send_password_link');
    const unitOfWork = service.service.container.get(TOKENS.unitOfWork);
    const waiting = await read('/admin/mails');
    expect(waiting).toContain(`${person.username}@example.com`);
    const id = Number(/\/admin\/mails\/(\d+)\/send_again/.exec(waiting)?.[1]);
    await unitOfWork.execute(({ mailOutbox }) => mailOutbox.finish(id, 'refused', '550 no such mailbox'));
    const failed = await read('/admin/mails?state=failed');
    expect(failed).toContain('550 no such mailbox');
    expect((await send(`/admin/mails/${id}/send_again`)).location).toBe('/admin/mails');
    expect(await read('/admin/mails?state=failed')).not.toContain('550 no such mailbox');
    expect((await send('/admin/mails/999999/send_again')).status).toBe(404);
    expect(await read('/admin/audit_log?what=mail_sent_again')).toContain(`mail ${id}`);
  });

  it('shows jobs that wait, and runs one now', async () => {
    const unitOfWork = service.service.container.get(TOKENS.unitOfWork);
    const later = new Date(service.clock.now().getTime() + 3_600_000);
    await unitOfWork.execute(({ jobs }) => jobs.enqueue('send_password_link', 'nobody@example.com', later));
    const page = await read('/admin/jobs');
    expect(page).toContain('nobody@example.com');
    const id = /\/admin\/jobs\/(\d+)\/run/.exec(page)?.[1] ?? '';
    expect((await send(`/admin/jobs/${id}/run`)).location).toBe('/admin/jobs');
    const due = await unitOfWork.execute(({ jobs }) => jobs.takeDue(service.clock.now()));
    expect([undefined, Number(id)]).toContain(due?.id);
    expect((await send('/admin/jobs/999999/run')).status).toBe(404);
  });

  it('shows the health of everything at a glance, and settings with secrets masked', async () => {
    const overview = await read('/admin');
    for (const words of [
      'Database',
      'Repositories',
      'Files of CI jobs',
      'Mail',
      'Jobs',
      'Backups',
      'migrations are applied',
    ])
      expect(overview).toContain(words);
    const settings = await read('/admin/settings');
    expect(settings).toContain('<code>TIER</code>');
    expect(settings).not.toMatch(/SECRET_KEY<\/code><\/th>\s*<td class="name"><code>(?!\[secret\])/);
  });

  it('has every act in the audit log', async () => {
    for (const name of ['block', 'unblock', 'promote', 'demote', 'send_password_link']) await act(name);
    const log = await read(`/admin/audit_log.jsonl?about=${person.username}`);
    const kinds = log
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as { readonly kind: string; readonly author: string | null });
    for (const kind of [
      'account_blocked',
      'account_unblocked',
      'account_promoted',
      'account_demoted',
      'password_link_sent',
    ])
      expect(kinds).toContainEqual(expect.objectContaining({ kind, author: 'boss', means: 'browser' }));
  });
});

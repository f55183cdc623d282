import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { AlertingProject, sendAlert } from '../support/alerting.js';
import { describeEachDatabase } from '../support/databases.js';
import { FormBrowser, PASSWORD } from '../support/form-browser.js';
import { signedIn } from '../support/oauth-client.js';
import { TestService, type TestUser } from '../support/test-service.js';

describeEachDatabase('the start page', (openTestDatabase) => {
  let service: TestService;
  let ada: TestUser;
  let root: FormBrowser;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    await service.addUser('root', { admin: true, password: PASSWORD });
    ada = await service.addUser('ada', { password: PASSWORD });
    await service.addUser('eve', { password: PASSWORD });
    root = await signedIn(service, 'root');
  });

  afterAll(() => service.close());

  const call = async (path: string, json: object) =>
    (await service.call<{ id: number }>('POST', path, { token: ada.token, json })).body;
  const read = async (who: FormBrowser, path = '/') => (await who.get(path)).text();
  const stepsIn = (html: string) =>
    [...html.matchAll(/<li><span class="badge[^"]*">([^<]*)<\/span>(?: <a[^>]*>)? ?<strong>([^<]*)/g)].map(
      ([, state, words]) => `${words}: ${state}`,
    );

  it('of an administrator lists what makes an installation ready, and knows what is done', async () => {
    expect(stepsIn(await read(root))).toEqual([
      'Public address: to do',
      'Mail: to do',
      'First group: to do',
      'First project: to do',
      'Backup: to do',
    ]);
    const html = await read(root);
    for (const address of ['/groups/-/new', '/projects/new']) {
      expect(html).toContain(`href="${address}"`);
      expect((await root.get(address)).status).toBe(200);
    }
    await root.submit('/groups/-/new', '/groups/-/new', { name: 'Works' });
    expect(stepsIn(await read(root))).toContain('First group: done');
    expect(stepsIn(await read(await signedIn(service, 'ada')))).toEqual([]);
  });

  it('of somebody new has a first step', async () => {
    const html = await read(await signedIn(service, 'eve'));
    expect(html).toContain('<a href="/projects/new">create a project</a>');
    expect(html).toContain('No open issue is assigned to you.');
  });

  it('shows what is theirs: open issues, open alerts by severity, projects and what happened', async () => {
    const { id } = await call('/projects', { name: 'Engine', path: 'engine' });
    await call(`/projects/${id}/issues`, { title: 'Gears slip', assignee_ids: [ada.id] });
    const alerting = AlertingProject.of(service, ada, id);
    await alerting.call('PUT', '/alert_settings', { create_incident: false });
    const integration = await alerting.integrate();
    for (const fingerprint of ['a', 'b']) await sendAlert(integration, { title: 'Hot', severity: 'high', fingerprint });
    await sendAlert(integration, { title: 'Cold', severity: 'low' });
    const person = await signedIn(service, 'ada');
    const html = await read(person);
    expect(html).toContain('<a href="/ada/engine/-/issues/1"><strong>Gears slip</strong></a>');
    expect(html).toMatch(/<th scope="col">High<\/th><th scope="col">Low<\/th>/);
    expect(html).toMatch(/badge high">2<[\s\S]*badge low">1</);
    expect(html).toContain('opened issue');
    expect(await read(person, '/dashboard/issues')).toContain('Gears slip');
    expect(await read(await signedIn(service, 'eve'))).not.toContain('Hot');
    expect(await read(await signedIn(service, 'eve'))).not.toContain('/ada/engine');
  });

  it('leads to lists of what is theirs, which say of which state none is there', async () => {
    const person = await signedIn(service, 'eve');
    for (const [query, sentence] of [
      ['issues', 'No open issue is assigned to you.'],
      ['issues?scope=created&state=closed', 'No issue that you opened is closed.'],
      ['merge_requests?state=merged', 'No merged merge request is assigned to you.'],
      ['merge_requests?scope=reviews', 'You are a reviewer of no open merge request.'],
      ['merge_requests?scope=created&state=closed', 'No merge request that you opened is closed.'],
    ] as const)
      expect(await read(person, `/dashboard/${query}`)).toContain(`<p>${sentence}</p>`);
  });

  it('and every other has the colors that a browser asked for', async () => {
    const visitor = new FormBrowser(service.url);
    expect(await read(visitor)).not.toContain('data-theme');
    for (const [theme, shown] of [
      ['dark', ' data-theme="dark"'],
      ['system', ''],
      ['"><script>', ''],
    ] as const) {
      const answer = await visitor.submit('/', '/-/theme', { theme, return_to: '//evil.example/' });
      expect([answer.status, answer.headers.get('location')]).toEqual([303, '/']);
      expect(await read(visitor)).toContain(`<html lang="en"${shown}>`);
    }
  });

  it('says nothing that somebody else put into a cookie', async () => {
    const person = await signedIn(service, 'ada');
    for (const forged of [`${Buffer.from('Send money').toString('base64url')}.AAAA`, 'x', '.', 'a.b.c']) {
      person.cookies.set('gatehouse_notice', forged);
      const html = await read(person);
      expect(html).not.toContain('Send money');
      expect(html).not.toContain('role="status"');
    }
  });
});

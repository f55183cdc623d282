import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AlertingProject, sendAlert, type IntegrationBody } from '../support/alerting.js';
import { describeEachDatabase } from '../support/databases.js';
import { PASSWORD, type FormBrowser } from '../support/form-browser.js';
import { signedIn } from '../support/oauth-client.js';
import { TestService } from '../support/test-service.js';

const SETTINGS = '/ada/engine/-/settings/operations';
const LIST = '/ada/engine/-/alert_management';

const textOf = (html: string): string =>
  html
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

/** What the read-only fields of the guide say, in their order. */
const guidesIn = (html: string): readonly string[] =>
  [...html.matchAll(/<textarea id="guide-\d+"[^>]*>([^<]*)<\/textarea>/g)].map(([, text]) => textOf(text ?? ''));

describeEachDatabase('the page that operators live on', (openTestDatabase) => {
  let service: TestService;
  let place: AlertingProject;
  let generic: IntegrationBody;
  let prometheus: IntegrationBody;
  let maintainer: FormBrowser;
  let developer: FormBrowser;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    const ada = await service.addUser('ada', { password: PASSWORD });
    place = await AlertingProject.create(service, ada, 'engine');
    const { id } = await service.addUser('developer', { password: PASSWORD });
    await place.call('POST', '/members', { user_id: id, access_level: 30 });
    [maintainer, developer] = [await signedIn(service, 'ada'), await signedIn(service, 'developer')];
    generic = await place.integrate();
    prometheus = await place.integrate('prometheus');
    await sendAlert(generic, {
      title: 'One',
      severity: 'low',
      service: 'db',
      monitoring_tool: 'zabbix',
      fingerprint: '1',
    });
    await sendAlert(generic, { title: 'Two', severity: 'high', service: 'web', fingerprint: '2' });
    await sendAlert(generic, {
      title: 'Three',
      severity: 'high',
      platform_environment_name: 'production',
      fingerprint: '3',
    });
  });
  afterAll(() => service.close());

  const read = async (path: string, who = maintainer) => textOf(await (await who.get(path)).text());
  const send = async (path: string, values: Record<string, string>, page = path, who = maintainer) => {
    const response = await who.submit(page, path, values);
    return { status: response.status, location: response.headers.get('location'), html: await response.text() };
  };
  const titles = async (query: string): Promise<readonly string[]> =>
    [...(await read(`${LIST}?${query}`)).matchAll(/\/details">([^<]+)<\/a>/g)].map(([, title]) => title ?? '');

  describe('the guide of an integration', () => {
    it('has a command that sends an alert when it is pasted into a shell', async () => {
      const [command = ''] = guidesIn(await (await maintainer.get(`${SETTINGS}/integrations/${generic.id}`)).text());
      const { stdout } = await promisify(execFile)('bash', ['-c', command]);
      expect(JSON.parse(stdout)).toMatchObject([{ title: 'Disk is almost full' }]);
    });

    it('has the configuration of Alertmanager with the address and the key', async () => {
      const [yaml = '', command = ''] = guidesIn(
        await (await maintainer.get(`${SETTINGS}/integrations/${prometheus.id}`)).text(),
      );
      // Strings of YAML that are strings of JSON.
      const valueOf = (key: string): unknown => JSON.parse(new RegExp(`${key}: (".*")$`, 'm').exec(yaml)?.[1] ?? '""');
      expect([valueOf('url'), valueOf('credentials')]).toEqual([prometheus.url, prometheus.token]);
      const { stdout } = await promisify(execFile)('bash', ['-c', command]);
      expect(JSON.parse(stdout)).toMatchObject([{ title: 'Disk is almost full' }]);
    });

    it('sends its prefilled test, and says what is wrong with another', async () => {
      const path = `${SETTINGS}/integrations/${generic.id}`;
      const page = await (await maintainer.get(path)).text();
      const payload = textOf(/<textarea id="payload"[^>]*>([^<]*)/.exec(page)?.[1] ?? '');
      expect((await send(`${path}/test`, { payload }, path)).location).toBe(path);
      expect(await read(path)).toContain('The test was taken: one alert was in it.');
      const refused = await send(`${path}/test`, { payload: '{' }, path);
      expect(refused.status).toBe(400);
      expect(refused.html).toContain('id="payload-problem"');
    });

    it('shows what arrived, with the reason, and takes it once more', async () => {
      const path = `${SETTINGS}/integrations/${generic.id}`;
      const html = await read(path);
      for (const words of ['What arrived', 'accepted', 'opened', '^alert#1', '"title":"One"'])
        expect(html).toContain(words);
      const before = (await place.alerts()).find(({ title }) => title === 'One')?.events ?? 0;
      const ids = [...html.matchAll(/name="delivery" value="(\d+)"/g)].map(([, id]) => Number(id));
      await send(`${path}/replay`, { delivery: String(Math.min(...ids)) }, path);
      expect(await read(path)).toContain('It was taken once more');
      expect((await place.alerts()).find(({ title }) => title === 'One')?.events).toBe(before + 1);
      expect((await send(`${path}/replay`, { delivery: '999999' }, path)).status).toBe(404);
    });

    it('asks before it removes, and is for maintainers alone', async () => {
      const path = `${SETTINGS}/integrations/${generic.id}`;
      expect(await read(`${path}/remove`)).toContain('Remove the integration Monitoring?');
      expect((await developer.get(path)).status).toBe(403);
      expect((await send(`${path}/test`, { payload: '{}' }, LIST, developer)).status).toBe(403);
      expect((await maintainer.get(`${SETTINGS}/integrations/999999`)).status).toBe(404);
    });
  });

  describe('the list', () => {
    it.each([
      ['severity=high', ['Three', 'Two']],
      ['environment=production', ['Three']],
      ['service=db', ['One']],
      ['tool=zabbix', ['One']],
      ['severity=high&service=web', ['Two']],
    ])('is filtered by %s', async (query, expected) => {
      const own = ['One', 'Two', 'Three'];
      expect((await titles(`tab=all&${query}`)).filter((title) => own.includes(title)).sort()).toEqual(expected);
    });

    it('sorts both ways, and keeps its filters', async () => {
      const own = (all: readonly string[]) => all.filter((title) => ['One', 'Two'].includes(title));
      expect(own(await titles('sort=severity'))).toEqual(['Two', 'One']);
      expect(own(await titles('sort=severity_asc'))).toEqual(['One', 'Two']);
      const html = await read(`${LIST}?severity=high&sort=severity`);
      expect(html).toContain('aria-sort="descending"');
      expect(html).toContain('?tab=open&sort=severity_asc&severity=high');
    });

    it('is where environments lead', async () => {
      expect(await read('/ada/engine/-/alert_management/environments')).toContain(
        `${LIST}?tab=all&environment=production`,
      );
    });

    it('acknowledges, resolves and ignores several at once, and says how many', async () => {
      const iids = (await place.alerts()).filter(({ title }) => ['One', 'Two'].includes(title)).map(({ iid }) => iid);
      const token = await developer.formToken(LIST);
      const body = new URLSearchParams({
        status: 'acknowledged',
        authenticity_token: token,
        return_to: `${LIST}?sort=events`,
      });
      for (const iid of iids) body.append('iid', String(iid));
      const done = await developer.send(LIST, { method: 'POST', body });
      expect(done.headers.get('location')).toBe(`${LIST}?sort=events`);
      expect(await read(LIST, developer)).toContain('2 alerts were acknowledged.');
      const statuses = async () =>
        (await place.alerts()).filter(({ iid }) => iids.includes(iid)).map(({ status }) => status);
      expect(await statuses()).toEqual(['acknowledged', 'acknowledged']);
      for (const status of ['resolved', 'ignored']) {
        await send(LIST, { status, iid: String(iids[0]), return_to: 'https://elsewhere.example/' });
        expect(await statuses()).toContain(status);
      }
    });

    it('changes nothing for who may not, and nothing of another project', async () => {
      await service.addUser('eve', { password: PASSWORD });
      const eve = await signedIn(service, 'eve');
      const refused = await eve.submit('/profile/account', LIST, { status: 'resolved', iid: '1' });
      expect(refused.status).toBe(404);
      expect((await send(LIST, { status: 'resolved', iid: '424242' })).status).toBe(404);
      expect((await send(LIST, { status: 'gone', iid: '1' })).status).toBe(404);
    });
  });
});

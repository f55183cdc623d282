import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { AlertingProject, sendAlert, type IntegrationBody } from '../support/alerting.js';
import { describeEachDatabase } from '../support/databases.js';
import { PASSWORD, type FormBrowser } from '../support/form-browser.js';
import { signedIn } from '../support/oauth-client.js';
import { TestService } from '../support/test-service.js';

describeEachDatabase('the pages of alerts', (openTestDatabase) => {
  let service: TestService;
  let place: AlertingProject;
  let integration: IntegrationBody;
  let maintainer: FormBrowser;
  let developer: FormBrowser;
  let guest: FormBrowser;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    const ada = await service.addUser('ada', { password: PASSWORD });
    place = await AlertingProject.create(service, ada, 'engine');
    for (const [name, level] of [
      ['developer', 30],
      ['guest', 10],
    ] as const) {
      const { id } = await service.addUser(name, { password: PASSWORD });
      await place.call('POST', '/members', { user_id: id, access_level: level });
    }
    [maintainer, developer, guest] = [
      await signedIn(service, 'ada'),
      await signedIn(service, 'developer'),
      await signedIn(service, 'guest'),
    ];
    integration = await place.integrate();
    await sendAlert(integration, {
      title: '<script>alert(1)</script>',
      fingerprint: 'f',
      severity: 'low',
      link: 'javascript:alert(1)',
      runbook_url: 'https://runbooks.example/fire',
      nested: { deep: [1, { x: 'y' }] },
      platform_environment_name: 'production',
    });
    await sendAlert(integration, { fingerprint: 'f' });
    await sendAlert(integration, { title: 'Quiet', fingerprint: 'g' });
  });

  afterAll(() => service.close());

  const read = async (who: FormBrowser, path: string) => {
    const response = await who.get(`/ada/engine/-/${path}`);
    return { status: response.status, html: await response.text(), headers: response.headers };
  };

  it('list alerts by status with counts, search and sort, and keep themselves up to date', async () => {
    const { html, headers } = await read(developer, 'alert_management');
    expect(html).toContain('<noscript><meta http-equiv="refresh" content="30"></noscript>');
    expect(headers.get('content-security-policy')).toContain("script-src 'self'");
    expect(html).toMatch(/Open <small>\(2\)/);
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(html).not.toContain('<script>');
    expect((await read(developer, 'alert_management?search=quiet')).html).not.toContain('alert(1)');
    expect((await read(developer, 'alert_management?tab=resolved')).html).toContain('No alerts here.');
    const bySeverity = (await read(developer, 'alert_management?sort=severity')).html;
    expect(bySeverity.indexOf('Quiet')).toBeLessThan(bySeverity.indexOf('&lt;script&gt;'));
    for (const column of ['started', 'severity', 'events', 'status', 'title', 'incident']) {
      const orders = [column, `${column}_asc`].map(async (sort) => {
        const { html: sorted } = await read(developer, `alert_management?sort=${sort}`);
        expect(sorted).toContain(`aria-sort="${sort === column ? 'descending' : 'ascending'}"`);
        return sorted.indexOf('Quiet') < sorted.indexOf('&lt;script&gt;');
      });
      const [down, up] = await Promise.all(orders);
      expect([column, down]).toEqual([column, !up]);
    }
    const { html: all } = await read(developer, 'alert_management?tab=all');
    expect(all).toMatch(
      /<svg role="img" aria-label="Alerts that started in the last 30 days\. 2 in all, the most 2 \(/,
    );
    expect(all).toContain('<th scope="col">critical</th><th scope="col">low</th>');
    const low = (await read(developer, 'alert_management?severity=low')).html;
    expect(low).toContain('aria-label="Alerts that started in the last 30 days. 1 in all');
    for (const odd of ['tab=constructor&sort=constructor', 'page=-1', 'search[]=x']) {
      expect((await read(developer, `alert_management?${odd}`)).status).toBe(200);
    }
  });

  it('show an alert with its payload flattened, and why each arrival was merged or not', async () => {
    const { html } = await read(developer, 'alert_management/1/details');
    expect(html).toContain('nested.deep.1.x');
    expect(html).toContain('It opened this alert: no alert with its fingerprint was open.');
    expect(html).toContain('It was counted: this alert was open and has the same fingerprint.');
    expect(html).not.toContain('href="javascript:');
    expect(html).toContain('<a href="https://runbooks.example/fire" rel="nofollow noreferrer noopener">');
    expect(html).toMatch(/<svg role="img" aria-label="Arrivals over time\. 2 in all/);
  });

  it('change the status, and say when it can’t be', async () => {
    const path = '/ada/engine/-/alert_management/2/details';
    expect((await developer.submit(path, path, { status: 'resolved' })).status).toBe(303);
    expect((await read(developer, 'alert_management/2/details')).html).toContain('^alert#2 is resolved now.');
    await sendAlert(integration, { title: 'Quiet', fingerprint: 'g' });
    const refused = await developer.submit(path, path, { status: 'triggered' });
    expect([refused.status, await refused.text()]).toEqual([
      409,
      expect.stringContaining('another alert of the same fingerprint'),
    ]);
    expect((await developer.submit(path, path, { status: 'nonsense' })).status).toBe(404);
  });

  it('lead from an alert to the environment of the name that it tells, where the project has one', async () => {
    const form = '/ada/engine/-/environments/new';
    const shown = async () => (await read(developer, 'alert_management/1/details')).html;
    await developer.submit(form, form, { name: 'Production', external_url: '', tier: '' });
    expect(await shown()).toContain('<dt>Environment</dt><dd>production</dd>');
    await developer.submit(form, form, { name: 'production', external_url: '', tier: '' });
    expect(await shown()).toMatch(/<dd><a href="\/ada\/engine\/-\/environments\/\d+">production<\/a><\/dd>/);
  });

  it('show environments that alerts have named, with their open alerts', async () => {
    expect((await read(developer, 'alert_management/environments')).html).toMatch(
      /production<\/a><\/th><td>1<\/td><td>1</,
    );
  });

  it('let maintainers add, disable and remove integrations and see their keys, and developers test alone', async () => {
    const settings = '/ada/engine/-/settings/operations';
    const one = `settings/operations/integrations/${integration.id}`;
    expect((await read(maintainer, 'settings/operations')).html).toContain(one);
    expect((await read(maintainer, one)).html).toContain(integration.token);
    expect((await read(developer, one)).status).toBe(403);
    const seen = (await read(developer, 'settings/operations')).html;
    expect(seen).toContain('Send test alert');
    expect(seen).not.toContain('Integrations');
    const add = (fields: Record<string, string>) => maintainer.submit(settings, `${settings}/integrations`, fields);
    expect(
      (await add({ name: 'Probe', type: 'http_endpoint', sample_payload: '{"title":"Sample"}', test: 'true' })).status,
    ).toBe(303);
    expect((await place.alerts('&search=Sample')).length).toBe(1);
    const bad = await add({ name: 'Probe', type: 'http_endpoint', sample_payload: '{' });
    expect([bad.status, await bad.text()]).toEqual([400, expect.stringContaining('not valid JSON')]);
    const tested = await developer.submit(settings, `${settings}/test`, { payload: '{"title":"Trial"}' });
    expect(tested.headers.get('location')).toBe(`${settings}/test`);
    expect((await developer.submit(settings, `${settings}/incidents`, {})).status).toBe(403);
    expect((await maintainer.submit(settings, `${settings}/integrations/${integration.id}/disable`, {})).status).toBe(
      303,
    );
    expect((await sendAlert(integration, {})).status).toBe(403);
    await maintainer.submit(settings, `${settings}/incidents`, { create_incident: 'true' });
    expect((await read(maintainer, 'settings/operations/incidents')).html).toContain('value="true" checked');
    expect((await place.call('GET', '/alert_settings')).body).toEqual({
      create_incident: true,
      auto_close_incident: false,
      send_email: false,
    });
  });

  it('are not there for who may not see alerts', async () => {
    for (const path of [
      'alert_management',
      'alert_management/1/details',
      'alert_management/environments',
      'settings/operations',
    ]) {
      expect([path, (await read(guest, path)).status]).toEqual([path, 403]);
    }
    await service.addUser('stranger', { password: PASSWORD });
    expect((await read(await signedIn(service, 'stranger'), 'alert_management')).status).toBe(404);
  });
});

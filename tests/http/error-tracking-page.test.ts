import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeEachDatabase } from '../support/databases.js';
import { PASSWORD, type FormBrowser } from '../support/form-browser.js';
import { signedIn } from '../support/oauth-client.js';
import { TestService } from '../support/test-service.js';

const OPERATIONS = '/ada/engine/-/settings/operations';
const FORM = `${OPERATIONS}/error_tracking`;
const API_URL = 'https://errors.example/api/0/projects/team/analytical-engine';
const TOKEN = 'tracker-token-77ab';

describeEachDatabase('the settings page of error tracking', (openTestDatabase) => {
  let service: TestService;
  let project: number;
  let token: string;
  let maintainer: FormBrowser;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    ({ token } = await service.addUser('ada', { password: PASSWORD }));
    const { body } = await service.call<{ id: number }>('POST', '/projects', { token, json: { name: 'engine' } });
    project = body.id;
    for (const [name, level] of [
      ['maintainer', 40],
      ['developer', 30],
      ['reporter', 20],
    ] as const) {
      const { id } = await service.addUser(name, { password: PASSWORD });
      const json = { user_id: id, access_level: level };
      await service.call('POST', `/projects/${project}/members`, { token, json });
    }
    maintainer = await signedIn(service, 'maintainer');
  });

  afterAll(() => service.close());

  const read = async (who = maintainer, path = FORM) => (await who.get(path)).text();
  const stored = async () =>
    (await service.call<Record<string, unknown>>('GET', `/projects/${project}/error_tracking/settings`, { token }))
      .body;
  const sealed = async () => {
    const row = (await service.service.database.reader.query('error_tracking_settings').first()) as {
      sealed_token: string | null;
    };
    return row.sealed_token;
  };
  const save = (fields: Record<string, string>) => maintainer.submit(FORM, FORM, fields);

  it('is empty and active before anything is configured', async () => {
    const html = await read();
    expect(html).toMatch(/name="active" value="true" checked/);
    expect(html).toMatch(/name="tracker_api_url" type="url" value=""/);
    expect(html).toContain('None is stored.');
  });

  it('says beside each field what is wrong, keeps what was typed but the token, and changes nothing', async () => {
    const refused = await save({
      tracker_api_url: 'http://127.0.0.1/<i>',
      tracker_project_name: 'x'.repeat(256),
      tracker_token: `${TOKEN} ${TOKEN}`,
    });
    const html = await refused.text();
    expect(refused.status).toBe(400);
    expect(html).toMatch(/id="tracker_api_url-problem"[^>]*>The API URL leads to a private or reserved network</);
    expect(html).toMatch(/id="tracker_project_name-problem"[^>]*>The project name is too long/);
    expect(html).toMatch(/id="tracker_token-problem"[^>]*>The auth token must be letters/);
    expect(html).toContain('value="http://127.0.0.1/&lt;i&gt;"');
    expect(html).not.toMatch(/name="active" value="true" checked/);
    expect(html).not.toContain(TOKEN);
    expect(await stored()).toEqual({ message: '404 Error Tracking Setting Not Found' });
  });

  it('saves, goes back to the page, says so, and never shows the token', async () => {
    const saved = await save({ active: 'true', tracker_api_url: API_URL, tracker_token: TOKEN });
    expect([saved.status, saved.headers.get('location')]).toEqual([303, FORM]);
    const html = await read(maintainer, FORM);
    expect(html).toContain('role="status">Settings of error tracking saved.');
    expect(html).toContain(`value="${API_URL}"`);
    expect(html).toContain('Empty means Analytical Engine.');
    expect(html).toContain('One is stored and never shown.');
    expect(html).toMatch(/name="tracker_token" type="password" value=""/);
    expect(html).not.toContain(TOKEN);
    expect(JSON.stringify(service.logger.lines)).not.toContain(TOKEN);
    expect(await stored()).toMatchObject({ active: true, project_name: 'Analytical Engine' });
  });

  it('leaves the token when the field is empty, unless the API URL is another', async () => {
    const before = await sealed();
    await save({ tracker_api_url: API_URL, tracker_project_name: 'Mill', tracker_token: '  ' });
    expect([await sealed(), await stored()]).toMatchObject([before, { active: false, project_name: 'Mill' }]);
    await save({ active: 'true', tracker_api_url: 'https://other.example/', tracker_project_name: 'Mill' });
    expect([await sealed(), await stored()]).toMatchObject([null, { active: true, project_name: 'Mill' }]);
  });

  it('takes no form that was not made for this browser', async () => {
    const before = await stored();
    expect((await maintainer.post(FORM, { tracker_api_url: API_URL })).status).toBe(403);
    expect(await stored()).toEqual(before);
  });

  it('is for maintainers alone', async () => {
    const developer = await signedIn(service, 'developer');
    expect(await read(developer, OPERATIONS)).not.toContain('Error tracking');
    expect((await developer.get(FORM)).status).toBe(403);
    expect((await developer.submit(OPERATIONS, FORM, { tracker_api_url: API_URL })).status).toBe(403);
    for (const path of [OPERATIONS, FORM])
      expect((await (await signedIn(service, 'reporter')).get(path)).status).toBe(403);
    await service.addUser('stranger', { password: PASSWORD });
    const stranger = await signedIn(service, 'stranger');
    expect((await stranger.submit('/', FORM, { tracker_api_url: API_URL })).status).toBe(404);
  });
});

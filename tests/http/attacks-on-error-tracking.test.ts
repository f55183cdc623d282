import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeEachDatabase } from '../support/databases.js';
import { PASSWORD } from '../support/form-browser.js';
import { signedIn } from '../support/oauth-client.js';
import { TestService, type TestUser } from '../support/test-service.js';
import type { ProjectId } from '../../src/domain/shared/identifiers.js';

const API_URL = 'https://errors.example/api/0/projects/team/engine';
const PRIVATE = 'leads to a private or reserved network';

describeEachDatabase('attacks on error tracking', (openTestDatabase) => {
  let databaseUrl: string;
  let service: TestService;
  let ada: TestUser;
  let developer: TestUser;
  let project: number;
  let bare: number;

  const secretKey = Buffer.alloc(32, 7);

  beforeAll(async () => {
    databaseUrl = await openTestDatabase();
    service = await TestService.start(databaseUrl, {}, secretKey);
    ada = await service.addUser('ada', { password: PASSWORD });
    developer = await service.addUser('developer', { password: PASSWORD });
    [project, bare] = [await addProject('engine'), await addProject('bare')];
    await call('PUT', project, { api_url: API_URL, token: 'stored-token' });
  });

  afterAll(() => service.close());

  const addProject = async (name: string) => {
    const { body } = await service.call<{ id: number }>('POST', '/projects', { token: ada.token, json: { name } });
    await service.call('POST', `/projects/${body.id}/members`, {
      token: ada.token,
      json: { user_id: developer.id, access_level: 30 },
    });
    return body.id;
  };
  const call = (method: string, id: number, json?: object, { token } = ada) =>
    service.call<Record<string, unknown>>(method, `/projects/${id}/error_tracking/settings`, {
      token,
      ...(json === undefined ? {} : { json }),
    });
  const sealedToken = async () => {
    const row = (await service.service.database.reader
      .query('error_tracking_settings')
      .where({ project_id: project as ProjectId })
      .first()) as { sealed_token: string | null };
    return row.sealed_token;
  };

  it('E11 a developer changes nothing, and is not told whether there is anything', async () => {
    for (const id of [project, bare]) {
      for (const [method, json] of [['GET'], ['PATCH', { active: false }], ['PUT', { api_url: API_URL }]] as const) {
        const { status, body } = await call(method, id, json, developer);
        expect([method, status, body]).toEqual([method, 403, { message: '403 Forbidden' }]);
      }
    }
    expect((await call('GET', project)).body).toMatchObject({ active: true });
  });

  it('E11 a project without settings has none after a PATCH either', async () => {
    const refusal = { message: '404 Error Tracking Setting Not Found' };
    for (const active of [true, false]) {
      const { status, body } = await call('PATCH', bare, { active });
      expect([status, body]).toEqual([404, refusal]);
    }
    expect((await call('GET', bare)).body).toEqual(refusal);
  });

  it('D17 a token goes with the address that it was given for', async () => {
    await call('PUT', project, { api_url: API_URL, token: 'stored-token' });
    expect(await sealedToken()).not.toBeNull();
    for (const tracker_external_url of ['https://evil.example/', null]) {
      await call('PUT', project, { tracker_external_url });
    }
    expect(await sealedToken()).not.toBeNull();
    for (const api_url of ['https://evil.example/', `${API_URL}/`, API_URL.replace('https:', 'http:')]) {
      await call('PUT', project, { api_url: API_URL, token: 'stored-token' });
      expect((await call('PUT', project, { api_url })).status).toBe(200);
      expect([api_url, await sealedToken()]).toEqual([api_url, null]);
    }
  });

  it('D18 addresses inside are refused at saving, by REST and on the page, and never asked', async () => {
    const asked: string[] = [];
    const inside = createServer((incoming, answer) => {
      asked.push(incoming.url ?? '');
      answer.end();
    }).listen(0, '127.0.0.1');
    await once(inside, 'listening');
    const { port } = inside.address() as AddressInfo;
    const hosts = [
      '127.0.0.1',
      'localhost',
      '2130706433',
      '0x7f.1',
      '[::ffff:127.0.0.1]',
      '[::1]',
      '169.254.169.254',
      '10.0.0.1',
      '0.0.0.0',
      '[fd00::1]',
      '[64:ff9b::7f00:1]',
    ];
    const person = await signedIn(service, 'ada');
    const page = '/ada/bare/-/settings/operations';
    for (const host of hosts) {
      const url = `http://${host}:${port}/api/0/projects/team/engine`;
      const { status, body } = await call('PUT', bare, { api_url: url, tracker_external_url: url });
      expect([host, status, body]).toEqual([
        host,
        400,
        { message: { api_url: [PRIVATE], tracker_external_url: [PRIVATE] } },
      ]);
      const answer = await person.submit(page, `${page}/error_tracking`, { tracker_api_url: url, active: 'true' });
      expect([host, answer.status, await answer.text()]).toEqual([host, 400, expect.stringContaining(PRIVATE)]);
    }
    expect((await call('GET', bare)).status).toBe(404);
    inside.close();
    expect(asked).toEqual([]);
  });

  it('D18 networks are reached where the operator says so, and those settings are not enabled once he does not', async () => {
    const allowing = async (outboundAllowlist: readonly string[]) => {
      await service.close();
      service = await TestService.start(databaseUrl, { outboundAllowlist }, secretKey);
    };
    const api_url = 'http://10.1.2.3/api/0/projects/team/engine';
    await allowing(['10.1.0.0/16', 'fd12::/16']);
    expect((await call('PUT', bare, { api_url: 'http://10.2.0.1/' })).body).toEqual({
      message: { api_url: [PRIVATE] },
    });
    for (const url of ['http://[fd12::1]/', 'http://[::ffff:10.1.2.3]/', api_url]) {
      expect([url, (await call('PUT', bare, { api_url: url })).status]).toEqual([url, 200]);
    }
    await allowing([]);
    expect((await call('PATCH', bare, { active: false })).status).toBe(200);
    const refused = await call('PATCH', bare, { active: true });
    expect([refused.status, refused.body]).toEqual([400, { message: { api_url: [PRIVATE] } }]);
  });

  it('E6 refusals disclose nothing of the address, the database or the code', async () => {
    const { body } = await call('PUT', bare, { api_url: 'http://ada:hush@10.0.0.1/', token: 'quiet\u0000' });
    expect(JSON.stringify(body)).not.toMatch(/hush|quiet|10\.0\.0\.1|select|node_modules|\.ts/i);
  });

  it('E14 long and hostile texts are refused at once', async () => {
    const hostile = [
      'a'.repeat(100_000),
      `https://${'a.'.repeat(50_000)}`,
      `https://errors.example/${'/'.repeat(100_000)}`,
      `https://errors.example/${'api/0/projects/'.repeat(5_000)}`,
    ];
    for (const text of hostile) {
      for (const name of ['api_url', 'tracker_external_url', 'sentry_external_url', 'project_name', 'token']) {
        expect((await call('PUT', project, { [name]: text })).status).toBe(400);
      }
    }
  });
});

import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { AlertingProject, sendAlert, type IntegrationBody } from '../support/alerting.js';
import { describeEachDatabase } from '../support/databases.js';
import type { FormBrowser } from '../support/form-browser.js';
import { PASSWORD } from '../support/form-browser.js';
import { signedIn } from '../support/oauth-client.js';
import { TestService, type TestUser } from '../support/test-service.js';

const LIMIT = 3;
const TEST = { payload: { title: 'A test' } };

describeEachDatabase('alerts that a person sends', (openTestDatabase) => {
  let service: TestService;
  let ada: TestUser;
  let browser: FormBrowser;
  let serial = 0;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase(), {
      rateLimits: { api: 'off', alerts: LIMIT, signIn: 'off' },
    });
    ada = await service.addUser('ada', { password: PASSWORD });
    browser = await signedIn(service, 'ada');
  });

  afterAll(() => service.close());

  const integrated = async (type = 'generic', fields: object = {}) => {
    const name = `engine-${(serial += 1)}`;
    const place = await AlertingProject.create(service, ada, name);
    return { place, name, integration: await place.integrate(type, fields) };
  };
  const test = (place: AlertingProject, { id }: IntegrationBody) =>
    place.call('POST', `/alert_integrations/${id}/test`, TEST);
  const replay = async (place: AlertingProject, { id }: IntegrationBody) => {
    const { body } = await place.call<{ id: number }[]>('GET', `/alert_integrations/${id}/deliveries`);
    return place.call('POST', `/alert_integrations/${id}/deliveries/${body.at(-1)?.id}/replay`);
  };

  it('count towards the limit of their integration, together with those of senders', async () => {
    const { place, integration, name } = await integrated();
    expect((await sendAlert(integration, {})).status).toBe(200);
    expect((await test(place, integration)).status).toBe(201);
    expect((await replay(place, integration)).status).toBe(201);
    const refused = [
      await test(place, integration),
      await place.call('POST', '/alert_integrations/test', TEST),
      await replay(place, integration),
    ];
    expect(refused.map(({ status }) => status)).toEqual([429, 429, 429]);
    expect(refused.map(({ headers }) => Number(headers.get('retry-after')) > 0)).toEqual([true, true, true]);
    expect((await sendAlert(integration, {})).status).toBe(429);
    const address = `/ada/${name}/-/settings/operations`;
    const page = await browser.submit(address, `${address}/test`, { payload: '{}' });
    expect([page.status, await page.text()]).toEqual([400, expect.stringContaining('too many times')]);
  });

  it('are refused by an integration that is switched off', async () => {
    const { place, integration } = await integrated();
    await sendAlert(integration, {});
    await place.call('PUT', `/alert_integrations/${integration.id}`, { active: false });
    for (const answer of [await test(place, integration), await replay(place, integration)])
      expect(answer).toMatchObject({
        status: 403,
        body: { message: '403 Forbidden - The integration is switched off.' },
      });
    expect((await place.call('POST', '/alert_integrations/test', TEST)).status).toBe(404);
    expect((await place.alerts()).map(({ events }) => events)).toEqual([1]);
  });

  it('are refused by a link, switched on or off', async () => {
    const { place, integration } = await integrated('link', { api_url: 'https://opsgenie.example' });
    const refusal = { status: 400, body: { error: expect.stringContaining('A link takes no alerts') } };
    expect(await test(place, integration)).toMatchObject(refusal);
    expect((await place.call('POST', '/alert_integrations/test', TEST)).status).toBe(404);
    await place.call('PUT', `/alert_integrations/${integration.id}`, { active: false });
    expect(await test(place, integration)).toMatchObject(refusal);
    expect(await place.alerts()).toEqual([]);
  });

  it('go to the first integration that is active and no link, where none is named', async () => {
    const { place, integration: off } = await integrated('generic');
    await place.call('PUT', `/alert_integrations/${off.id}`, { active: false });
    const on = await place.integrate('http_endpoint', { name: 'Second' });
    expect((await place.call('POST', '/alert_integrations/test', TEST)).status).toBe(201);
    const { body } = await place.call<unknown[]>('GET', `/alert_integrations/${on.id}/deliveries`);
    expect(body).toHaveLength(1);
  });

  it('are not within reach of a token that only reads, and neither is a key', async () => {
    const { place, integration } = await integrated();
    const readApi = await service.addToken(ada.id, ['read_api']);
    const seen = async (token: string, path: string) =>
      (await service.call('GET', `/projects/${place.id}/alert_integrations${path}`, { token })).body;
    const whole = { id: integration.id, url: integration.url };
    expect(await seen(readApi, '')).toMatchObject([{ ...whole, token: null }]);
    expect(await seen(readApi, `/${integration.id}`)).toMatchObject({ ...whole, token: null });
    expect(await seen(ada.token, '')).toMatchObject([{ ...whole, token: integration.token }]);
    expect(await seen(ada.token, `/${integration.id}`)).toMatchObject({ ...whole, token: integration.token });
    const bySession = await browser.get(`/api/v4/projects/${place.id}/alert_integrations/${integration.id}`);
    expect(await bySession.json()).toMatchObject({ token: integration.token });
    const path = `/projects/${place.id}/alert_integrations/${integration.id}/test`;
    expect((await service.call('POST', path, { token: readApi, json: TEST })).status).toBe(403);
  });
});

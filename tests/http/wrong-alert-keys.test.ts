import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { AlertingProject, sendAlert, type IntegrationBody } from '../support/alerting.js';
import { describeEachDatabase } from '../support/databases.js';
import { TestService } from '../support/test-service.js';

const LIMIT = 5;

describeEachDatabase('wrong keys at the alert intake', (openTestDatabase) => {
  let service: TestService;
  let integration: IntegrationBody;

  beforeAll(async () => {
    const rateLimits = { api: 'off', alerts: 'off', signIn: LIMIT } as const;
    service = await TestService.start(await openTestDatabase(), { rateLimits, trustProxy: 'loopback' });
    const ada = await service.addUser('ada');
    integration = await (await AlertingProject.create(service, ada, 'engine')).integrate();
  });

  afterAll(() => service.close());

  const send = (address: string, token = integration.token, url = integration.url) =>
    sendAlert({ url, token }, { title: 'Hot' }, { 'X-Forwarded-For': address });
  const tryKeys = async (address: string, times: number): Promise<number[]> => {
    const statuses: number[] = [];
    for (let time = 0; time < times; time += 1) statuses.push((await send(address, `wrong-${time}`)).status);
    return statuses;
  };
  const all = (status: number, times: number) => Array<number>(times).fill(status);

  it('are refused with 429 and when to come back, beyond so many a minute from one address', async () => {
    expect(await tryKeys('192.0.2.1', LIMIT + 2)).toEqual([...all(401, LIMIT), 429, 429]);
    const { status, headers, body } = await send('192.0.2.1', 'wrong');
    expect([status, body]).toEqual([
      429,
      { message: { error: 'This endpoint has been requested too many times. Try again later.' } },
    ]);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect(await tryKeys('192.0.2.2', 1)).toEqual([401]);
  });

  it('never hold up a correct key from the same address', async () => {
    await tryKeys('192.0.2.3', LIMIT + 1);
    const mixed = await Promise.all(
      Array.from({ length: 40 }, (_, index) => send('192.0.2.3', index % 2 === 0 ? 'wrong' : integration.token)),
    );
    expect(mixed.map(({ status }) => status)).toEqual(mixed.map((_, index) => (index % 2 === 0 ? 429 : 200)));
  });

  it('are counted for a whole network of 64 bits', async () => {
    expect(await tryKeys('2001:db8:1:2::1', LIMIT)).toEqual(all(401, LIMIT));
    expect(await tryKeys('2001:db8:1:2:ffff::9', 1)).toEqual([429]);
  });

  it('are not what an address without an integration is told: that is 404, however often', async () => {
    const nowhere = integration.url.replace('engine', 'nowhere');
    for (let time = 0; time <= LIMIT; time += 1)
      expect((await send('192.0.2.4', integration.token, nowhere)).status).toBe(404);
  });
});

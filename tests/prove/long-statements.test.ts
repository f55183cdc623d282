import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeDatabase } from '../support/databases.js';
import { TestService, type TestUser } from '../support/test-service.js';

const LONGEST_STATEMENT_MS = 15_000;

// The other database has no statement that waits for somebody else's lock, and none that can be canceled.
describeDatabase('postgres', 'a request whose statement takes too long', (openTestDatabase) => {
  let service: TestService;
  let ada: TestUser;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    ada = await service.addUser('ada');
  });

  afterAll(() => service.close());

  it('is answered 503 with Retry-After when its time is over, and holds up nobody else', async () => {
    const { database } = service.service;
    let letGo = (): void => undefined;
    const free = new Promise<void>((resolve) => (letGo = resolve));
    const holding = database.transact(async (session) => {
      await session.run('lock table projects in access exclusive mode', []);
      await free;
    });
    await sleep(200);
    const startedAt = performance.now();
    const waiting = service.call('GET', '/projects?owned=true', { token: ada.token });
    await sleep(200);
    const before = performance.now();
    expect((await service.call('GET', '/user', { token: ada.token })).status).toBe(200);
    expect(performance.now() - before).toBeLessThan(2_000);
    const { status, headers, body } = await waiting;
    const tookMs = performance.now() - startedAt;
    letGo();
    await holding;
    expect([status, headers.get('retry-after'), body]).toEqual([503, '5', { message: '503 Service Unavailable' }]);
    expect(tookMs).toBeGreaterThan(LONGEST_STATEMENT_MS - 1_000);
    expect(tookMs).toBeLessThan(LONGEST_STATEMENT_MS + 5_000);
    expect((await service.call('GET', '/projects?owned=true', { token: ada.token })).status).toBe(200);
  }, 60_000);
});

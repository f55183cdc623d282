import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { IDENTITY_TOKENS } from '../../src/infrastructure/composition/identity.tokens.js';
import { describeEachDatabase } from '../support/databases.js';
import { TestService, type TestUser } from '../support/test-service.js';
import { until } from '../support/until.js';

const HELD_MS = 600;

/** Holds the event loop, and everybody with it. */
const hold = (milliseconds: number): void => {
  const until = performance.now() + milliseconds;
  while (performance.now() < until);
};

describeEachDatabase('a loop that was held', (openTestDatabase) => {
  let service: TestService;
  let ada: TestUser;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    ada = await service.addUser('ada');
    // Before every route, as if its own work took so long.
    const { users } = service.service.container.get(IDENTITY_TOKENS.identityReaders);
    const find = users.find.bind(users);
    users.find = (id) => {
      if (holds) hold(HELD_MS);
      return find(id);
    };
  });

  let holds = false;

  afterAll(() => service.close());

  const lines = () => service.logger.lines.filter(({ message }) => message === 'event loop delayed');
  const counted = async (): Promise<number> => {
    const text = await (await fetch(`${service.url}/-/metrics`)).text();
    return Number(/^gatehouse_event_loop_delays_total (\d+)$/m.exec(text)?.[1]);
  };

  it('is told of with the declared route of what held it, and counted', async () => {
    const before = await counted();
    // The machine may have held it a moment before, and had the only line that there is in ten seconds.
    await until(async () => {
      holds = true;
      await service.call('GET', `/users/${ada.id}?secret=in-the-address`, { token: ada.token });
      holds = false;
      await sleep(200);
      return lines().some(({ fields }) => fields['routes'] === '/api/v4/users/:id');
    });
    expect(await counted()).toBeGreaterThan(before);
    expect(JSON.stringify(lines())).not.toContain('in-the-address');
  });
});

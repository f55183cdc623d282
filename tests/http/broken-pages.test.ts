import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser } from '../../src/adapters/inbound/http/pages/page-session.js';
import { TOKENS } from '../../src/infrastructure/composition/tokens.js';
import { describeEachDatabase } from '../support/databases.js';
import { TestService } from '../support/test-service.js';

describeEachDatabase('pages with a fault in them', (openTestDatabase) => {
  let service: TestService;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
  });
  afterAll(() => service.close());

  it('are answered with 500, the page of errors too, and end nothing', async () => {
    const sessions = service.service.container.get(TOKENS.pageSessions);
    const read = sessions.read.bind(sessions);
    const broken = {
      get user(): Browser['user'] {
        throw new Error('broken');
      },
    } as Browser;
    let asked = 0;
    // The page itself is shown to a stranger, and that of its error is not.
    sessions.read = async (...given) => ((asked += 1) === 1 ? read(...given) : broken);
    expect((await fetch(`${service.url}/nobody`)).status).toBe(500);
    sessions.read = () => Promise.resolve(broken);
    expect((await fetch(`${service.url}/nobody`)).status).toBe(500);
    sessions.read = read;
    expect((await fetch(`${service.url}/nobody`)).status).toBe(404);
  });
});

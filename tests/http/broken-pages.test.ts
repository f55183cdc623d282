import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import type { Browser } from '../../src/adapters/inbound/http/pages/page-session.js';
import { COLLABORATION_TOKENS } from '../../src/infrastructure/composition/collaboration.tokens.js';
import { TOKENS } from '../../src/infrastructure/composition/tokens.js';
import { describeEachDatabase } from '../support/databases.js';
import { PASSWORD } from '../support/form-browser.js';
import { signedIn } from '../support/oauth-client.js';
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

  it('are answered with 500 where what their frame says can not be read, and nothing is left to fail by itself', async () => {
    await service.addUser('ada', { password: PASSWORD });
    const ada = await signedIn(service, 'ada');
    const { todoReader } = service.service.container.get(COLLABORATION_TOKENS.collaboration);
    const unheard: unknown[] = [];
    const hear = (error: unknown) => void unheard.push(error);
    process.on('unhandledRejection', hear);
    const count = jest.spyOn(todoReader, 'countOpen').mockImplementation(async () => {
      // The page is made by then.
      await new Promise((resume) => setTimeout(resume, 100));
      throw new Error('broken');
    });
    expect((await ada.get('/')).status).toBe(500);
    count.mockRestore();
    expect((await ada.get('/')).status).toBe(200);
    process.off('unhandledRejection', hear);
    expect(unheard).toEqual([]);
  });
});

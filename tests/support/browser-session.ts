import type { BrowserContext } from 'playwright-core';
import { openSession, SESSION_COOKIE } from './opened-session.js';
import type { TestService, TestUser } from './test-service.js';

/** Gives a browser a session of somebody. */
export const carrySession = async (
  context: BrowserContext,
  service: TestService,
  user: Pick<TestUser, 'id'>,
): Promise<void> => {
  const value = await openSession(service, user);
  await context.addCookies([{ name: SESSION_COOKIE, value, url: service.url }]);
};

import type { BrowserContext } from 'playwright-core';
import { IDENTITY_TOKENS } from '../../src/infrastructure/composition/identity.tokens.js';
import type { TestService, TestUser } from './test-service.js';

/**
 * Signs somebody in behind the pages, for tests that are not about signing in: nothing that a page does takes the processor
 * as long as a password.
 */
export const carrySession = async (
  context: BrowserContext,
  service: TestService,
  { id }: Pick<TestUser, 'id'>,
): Promise<void> => {
  const { sessions } = service.service.container.get(IDENTITY_TOKENS.identity);
  const { secret } = await sessions.open('signed_in', id, null);
  service.secrets.push(secret);
  await context.addCookies([{ name: 'gatehouse_session', value: secret, url: service.url }]);
};

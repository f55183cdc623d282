import { IDENTITY_TOKENS } from '../../src/infrastructure/composition/identity.tokens.js';
import type { TestService, TestUser } from './test-service.js';

/** As browsers that came over HTTP call it. */
export const SESSION_COOKIE = 'gatehouse_session';

/**
 * Signs somebody in behind the pages, and answers what their browser holds: for tests that are not about signing in. Nothing that
 * a page does takes the processor as long as a password.
 */
export const openSession = async (service: TestService, { id }: Pick<TestUser, 'id'>): Promise<string> => {
  const { sessions } = service.service.container.get(IDENTITY_TOKENS.identity);
  const { secret } = await sessions.open('signed_in', id, null);
  service.secrets.push(secret);
  return secret;
};

import type { Session, SessionStage } from '../../src/application/identity/ports/session-repository.js';
import type { UserId } from '../../src/domain/shared/identifiers.js';
import { TOKENS } from '../../src/infrastructure/composition/tokens.js';
import type { TestService, TestUser } from './test-service.js';

/** As browsers that came over HTTP call it. */
export const SESSION_COOKIE = 'gatehouse_session';

const TEN_MINUTES_MS = 600_000;

/** A session of somebody who was asked for nothing, with the secret of its browser. */
export const addSession = async (
  { service: { container }, clock }: Pick<TestService, 'service' | 'clock'>,
  userId: UserId,
  stage: SessionStage = 'signed_in',
): Promise<{ readonly session: Session; readonly secret: string }> => {
  const secret = container.get(TOKENS.secretSource).token();
  const now = clock.now();
  const session = await container.get(TOKENS.unitOfWork).execute(({ sessions }) =>
    sessions.add({
      stage,
      userId,
      returnTo: null,
      digest: container.get(TOKENS.secretDigester).digest(secret),
      createdAt: now,
      provedAt: now,
      expiresAt: new Date(now.getTime() + (stage === 'signed_in' ? 14 * 24 * 6 : 1) * TEN_MINUTES_MS),
    }),
  );
  return { session, secret };
};

/**
 * Signs somebody in behind the pages, and answers what their browser holds: for tests that are not about signing in. Nothing that
 * a page does takes the processor as long as a password.
 */
export const openSession = async (service: TestService, { id }: Pick<TestUser, 'id'>): Promise<string> => {
  const { secret } = await addSession(service, id);
  service.secrets.push(secret);
  return secret;
};

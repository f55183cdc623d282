import type { PersonalAccessTokenRepository } from '../../../../application/identity/ports/personal-access-token-repository.js';
import type { EmailRepository, UserRepository } from '../../../../application/identity/ports/user-repository.js';
import { KnexEmailRepository } from './identity/knex-email-repository.js';
import { KnexPersonalAccessTokenRepository } from './identity/knex-personal-access-token-repository.js';
import { KnexUserRepository } from './identity/knex-user-repository.js';
import type { Session } from './session.js';

/** Everything that a work may change, all of it inside one transaction. Use cases name the few that they need. */
export interface Repositories {
  readonly users: UserRepository;
  readonly emails: EmailRepository;
  readonly personalAccessTokens: PersonalAccessTokenRepository;
}

export const createRepositories = (session: Session): Repositories => ({
  users: new KnexUserRepository(session),
  emails: new KnexEmailRepository(session),
  personalAccessTokens: new KnexPersonalAccessTokenRepository(session),
});

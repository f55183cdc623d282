import { IDENTITY_COUNTERS } from '../../application/identity/ports/identity-counters.js';
import { KnexBotRepository } from '../../adapters/outbound/persistence/knex/identity/knex-bot-repository.js';
import { KnexCredentialRepository } from '../../adapters/outbound/persistence/knex/identity/knex-credential-repository.js';
import { KnexEmailRepository } from '../../adapters/outbound/persistence/knex/identity/knex-email-repository.js';
import { KnexOneTimeTokenRepository } from '../../adapters/outbound/persistence/knex/identity/knex-one-time-token-repository.js';
import { KnexPersonalAccessTokenRepository } from '../../adapters/outbound/persistence/knex/identity/knex-personal-access-token-repository.js';
import { KnexSecurityEventRepository } from '../../adapters/outbound/persistence/knex/identity/knex-security-event-repository.js';
import { KnexSessionRepository } from '../../adapters/outbound/persistence/knex/identity/knex-session-repository.js';
import { KnexUserRepository } from '../../adapters/outbound/persistence/knex/identity/knex-user-repository.js';
import { defineStorage, job } from './storage.js';

export const identityStorage = defineStorage({
  name: 'identity',
  stores: {
    users: ({ session }) => new KnexUserRepository(session),
    bots: ({ session, clock }) => new KnexBotRepository(session, clock),
    emails: ({ session }) => new KnexEmailRepository(session),
    personalAccessTokens: ({ session }) => new KnexPersonalAccessTokenRepository(session),
    oneTimeTokens: ({ session }) => new KnexOneTimeTokenRepository(session),
    sessions: ({ session, occasion }) => new KnexSessionRepository(session, occasion),
    credentials: ({ session }) => new KnexCredentialRepository(session),
    securityEvents: ({ session }) => new KnexSecurityEventRepository(session),
  },
  jobs: { send_password_link: job<string>({ hurried: false }) },
  counters: IDENTITY_COUNTERS,
});

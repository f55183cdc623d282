import { OAUTH_COUNTERS } from '../../application/oauth/ports/oauth-counters.js';
import { grantsFollowAccess } from '../../application/oauth/grants-follow-access.js';
import { KnexApplicationRepository } from '../../adapters/outbound/persistence/knex/oauth/knex-application-repository.js';
import { KnexAuthorizationCodeRepository } from '../../adapters/outbound/persistence/knex/oauth/knex-authorization-code-repository.js';
import { KnexGrantRepository } from '../../adapters/outbound/persistence/knex/oauth/knex-grant-repository.js';
import { KnexRefreshTokenRepository } from '../../adapters/outbound/persistence/knex/oauth/knex-refresh-token-repository.js';
import { KnexSigningKeyRepository } from '../../adapters/outbound/persistence/knex/oauth/knex-signing-key-repository.js';
import { defineStorage } from './storage.js';

export const oauthStorage = defineStorage({
  name: 'oauth',
  stores: {
    applications: ({ session }) => new KnexApplicationRepository(session),
    authorizationCodes: ({ session }) => new KnexAuthorizationCodeRepository(session),
    grants: ({ session }) => new KnexGrantRepository(session),
    refreshTokens: ({ session }) => new KnexRefreshTokenRepository(session),
    signingKeys: ({ session }) => new KnexSigningKeyRepository(session),
  },
  subscribers: [grantsFollowAccess],
  counters: OAUTH_COUNTERS,
});

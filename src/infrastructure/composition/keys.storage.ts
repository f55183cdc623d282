import { botsFollowAccounts } from '../../application/keys/access-tokens.js';
import { KnexDeployTokenRepository } from '../../adapters/outbound/persistence/knex/keys/knex-deploy-token-repository.js';
import { KnexHostKeyRepository } from '../../adapters/outbound/persistence/knex/keys/knex-host-key-repository.js';
import { KnexKeyRepository } from '../../adapters/outbound/persistence/knex/keys/knex-key-repository.js';
import { defineStorage } from './storage.js';

export const keysStorage = defineStorage({
  name: 'keys',
  stores: {
    keys: ({ session }) => new KnexKeyRepository(session),
    hostKeys: ({ session }) => new KnexHostKeyRepository(session),
    deployTokens: ({ session }) => new KnexDeployTokenRepository(session),
  },
  subscribers: [botsFollowAccounts],
});

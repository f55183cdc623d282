import { ContainerModule } from 'inversify';
import { Authenticate } from '../../application/identity/authenticate.js';
import { TokenUses } from '../../application/identity/token-uses.js';
import type { Database } from '../../adapters/outbound/persistence/knex/database.js';
import { KnexPersonalAccessTokenReader } from '../../adapters/outbound/persistence/knex/identity/knex-personal-access-token-reader.js';
import { KnexUserReader } from '../../adapters/outbound/persistence/knex/identity/knex-user-reader.js';
import type { IdentityReaders } from './identity.js';
import { TOKENS } from './tokens.js';

const createIdentityReaders = ({ reader }: Database): IdentityReaders => ({
  users: new KnexUserReader(reader),
  personalAccessTokens: new KnexPersonalAccessTokenReader(reader),
});

export const identityModule = new ContainerModule(({ bind }) => {
  bind(TOKENS.identityReaders).toResolvedValue(createIdentityReaders, [TOKENS.database]);
  bind(TOKENS.identity).toResolvedValue(
    (readers, unitOfWork, digester, clock) => {
      const tokenUses = new TokenUses(unitOfWork);
      return {
        tokenUses,
        authenticate: new Authenticate(readers.personalAccessTokens, readers.users, digester, clock, tokenUses),
      };
    },
    [TOKENS.identityReaders, TOKENS.unitOfWork, TOKENS.secretDigester, TOKENS.clock],
  );
});

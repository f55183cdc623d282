import { ContainerModule } from 'inversify';
import { Applications } from '../../application/oauth/applications.js';
import { SigningKeys } from '../../application/oauth/signing-keys.js';
import { KnexSigningKeyReader } from '../../adapters/outbound/persistence/knex/oauth/knex-signing-key-repository.js';
import { joseKeyPairs } from '../../adapters/outbound/security/jose-key-pairs.js';
import { KnexApplicationReader } from '../../adapters/outbound/persistence/knex/oauth/knex-application-repository.js';
import { TOKENS } from './tokens.js';

export const oauthModule = new ContainerModule(({ bind }) => {
  bind(TOKENS.oauth).toResolvedValue(
    (database, unitOfWork, secrets, digester, clock, config, secretBox) => ({
      applications: new Applications(unitOfWork, secrets, digester, clock, config.nodeEnv === 'production'),
      applicationReader: new KnexApplicationReader(database.reader),
      signingKeys: new SigningKeys(
        unitOfWork,
        new KnexSigningKeyReader(database.reader),
        joseKeyPairs,
        secretBox,
        clock,
      ),
    }),
    [
      TOKENS.database,
      TOKENS.unitOfWork,
      TOKENS.secretSource,
      TOKENS.secretDigester,
      TOKENS.clock,
      TOKENS.config,
      TOKENS.secretBox,
    ],
  );
});

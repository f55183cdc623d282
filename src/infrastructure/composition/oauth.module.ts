import { ContainerModule } from 'inversify';
import { Applications } from '../../application/oauth/applications.js';
import { KnexApplicationReader } from '../../adapters/outbound/persistence/knex/oauth/knex-application-repository.js';
import { TOKENS } from './tokens.js';

export const oauthModule = new ContainerModule(({ bind }) => {
  bind(TOKENS.oauth).toResolvedValue(
    (database, unitOfWork, secrets, digester, clock, config) => ({
      applications: new Applications(unitOfWork, secrets, digester, clock, config.nodeEnv === 'production'),
      applicationReader: new KnexApplicationReader(database.reader),
    }),
    [TOKENS.database, TOKENS.unitOfWork, TOKENS.secretSource, TOKENS.secretDigester, TOKENS.clock, TOKENS.config],
  );
});

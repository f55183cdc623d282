import { ContainerModule } from 'inversify';
import type { Database } from '../../adapters/outbound/persistence/knex/database.js';
import { openUnitOfWork } from './open-unit-of-work.js';
import { TOKENS } from './tokens.js';

export const storageModule = (database: Database): ContainerModule =>
  new ContainerModule(({ bind }) => {
    bind(TOKENS.database).toConstantValue(database);
    bind(TOKENS.unitOfWork).toResolvedValue(
      (contexts, database, secretBox, wakeUps, clock) => {
        const storages = contexts.map(({ storage }) => storage);
        return openUnitOfWork({ storages, database, secretBox, wake: (work) => wakeUps[work]?.(), clock });
      },
      [TOKENS.contexts, TOKENS.database, TOKENS.secretBox, TOKENS.wakeUps, TOKENS.clock],
    );
  });

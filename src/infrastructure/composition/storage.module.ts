import { ContainerModule } from 'inversify';
import type { Database } from '../../adapters/outbound/persistence/knex/database.js';
import { KnexRequestCounts } from '../../adapters/outbound/persistence/knex/shared/knex-request-counts.js';
import { CountsInMemory } from '../../adapters/outbound/system/counts-in-memory.js';
import { openUnitOfWork } from './open-unit-of-work.js';
import { TOKENS } from './tokens.js';

export const storageModule = (database: Database): ContainerModule =>
  new ContainerModule(({ bind }) => {
    bind(TOKENS.database).toConstantValue(database);
    bind(TOKENS.counting).toResolvedValue(
      (served, clock) => {
        const [ofProcess, ofAllNodes] = [new CountsInMemory(clock), new KnexRequestCounts(served, clock)];
        // One process serves from a file. Asked each time: the storage may move.
        const count = (subject: string) => (served.inThisThread === undefined ? ofAllNodes : ofProcess).count(subject);
        return { counts: { count }, clock };
      },
      [TOKENS.database, TOKENS.steadyClock],
    );
    bind(TOKENS.unitOfWork).toResolvedValue(
      (contexts, database, secretBox, wakeUps, clock) => {
        const storages = contexts.map(({ storage }) => storage);
        return openUnitOfWork({ storages, database, secretBox, wake: (work) => wakeUps[work]?.(), clock });
      },
      [TOKENS.contexts, TOKENS.database, TOKENS.secretBox, TOKENS.wakeUps, TOKENS.clock],
    );
  });

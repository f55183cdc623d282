import { ContainerModule } from 'inversify';
import { alertsFollowIncidents } from '../../application/alerts/alerts-follow-incidents.js';
import { causesFollowEvents } from '../../application/notifications/causes-follow-events.js';
import type { Database } from '../../adapters/outbound/persistence/knex/database.js';
import { createKnexUnitOfWork } from '../../adapters/outbound/persistence/knex/knex-unit-of-work.js';
import { TOKENS } from './tokens.js';

export const storageModule = (database: Database): ContainerModule =>
  new ContainerModule(({ bind }) => {
    bind(TOKENS.database).toConstantValue(database);
    bind(TOKENS.unitOfWork).toResolvedValue(
      (database, secretBox, wakeUps) =>
        createKnexUnitOfWork(database, secretBox, [alertsFollowIncidents, causesFollowEvents], () => wakeUps.jobs()),
      [TOKENS.database, TOKENS.secretBox, TOKENS.wakeUps],
    );
  });

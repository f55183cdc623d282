import { ContainerModule } from 'inversify';
import { recordActivity } from '../../application/activity/record-activity.js';
import { alertsFollowIncidents } from '../../application/alerts/alerts-follow-incidents.js';
import { causesFollowEvents } from '../../application/notifications/causes-follow-events.js';
import type { Database } from '../../adapters/outbound/persistence/knex/database.js';
import { createKnexUnitOfWork } from '../../adapters/outbound/persistence/knex/knex-unit-of-work.js';
import { TOKENS } from './tokens.js';

/** Who acts on what happened, in this order. */
const SUBSCRIBERS = [alertsFollowIncidents, recordActivity, causesFollowEvents];

export const storageModule = (database: Database): ContainerModule =>
  new ContainerModule(({ bind }) => {
    bind(TOKENS.database).toConstantValue(database);
    bind(TOKENS.unitOfWork).toResolvedValue(
      (database, secretBox, wakeUps) => createKnexUnitOfWork(database, secretBox, SUBSCRIBERS, () => wakeUps.jobs()),
      [TOKENS.database, TOKENS.secretBox, TOKENS.wakeUps],
    );
  });

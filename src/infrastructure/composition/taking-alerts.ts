import { AlertBot } from '../../application/alerts/alert-bot.js';
import { Incidents } from '../../application/alerts/incidents.js';
import { ReceiveAlerts } from '../../application/alerts/receive-alerts.js';
import { createTakeAlerts, type TakeAlerts } from '../../application/alerts/take-alerts.js';
import type { UserReader } from '../../application/identity/ports/identity-readers.js';
import type { Clock } from '../../application/shared/ports/clock.js';
import type { AlertCounters } from '../../application/alerts/ports/alert-counters.js';
import type { SecretDigester } from '../../application/shared/ports/secrets.js';
import type { UnitOfWork } from '../../application/shared/unit-of-work.js';
import type { Repositories } from './storages.js';

export interface TakingParts {
  readonly unitOfWork: UnitOfWork<Repositories>;
  readonly users: UserReader;
  readonly digester: SecretDigester;
  readonly counters: AlertCounters;
  readonly clock: Clock;
  readonly alertUrl: (projectPath: string, iid: number) => string;
  readonly groupByPayload: boolean;
}

/** All that it takes to take alerts, in whichever thread. */
export const createTakingOfAlerts = (parts: TakingParts): TakeAlerts => {
  const { unitOfWork, users, digester, counters, clock, alertUrl, groupByPayload } = parts;
  const bot = new AlertBot(unitOfWork, users, clock);
  const receiveAlerts = new ReceiveAlerts(unitOfWork, new Incidents(alertUrl), bot, digester, counters);
  return createTakeAlerts({ receiveAlerts, clock, groupByPayload });
};

import type { Subscriber } from '../../application/shared/domain-events.js';
import type { SecretBox } from '../../application/shared/ports/secrets.js';
import type { UnitOfWork } from '../../application/shared/unit-of-work.js';
import type { Database } from '../../adapters/outbound/persistence/knex/database.js';
import { createKnexUnitOfWork } from '../../adapters/outbound/persistence/knex/knex-unit-of-work.js';
import { systemClock } from '../../adapters/outbound/system/system-clock.js';
import type { Clock } from '../../application/shared/ports/clock.js';
import { watchStore } from './audited-stores.js';
import { joinStorages } from './join-storages.js';
import type { LeftWork, Storage } from './storage.js';
import { STORAGES, type Repositories } from './storages.js';

/** `storagesOf` has seen to it that they find what they need. */
const subscribersOf = (storages: readonly Storage[]): readonly Subscriber<Repositories>[] =>
  storages.flatMap(({ subscribers = [] }) => subscribers as readonly Subscriber<Repositories>[]);

export interface UnitOfWorkParts {
  readonly database: Database;
  readonly secretBox: SecretBox;
  /** Called after a commit that left such work, once. */
  readonly wake: (work: LeftWork) => void;
  readonly clock?: Clock;
  /** Those of the product, but in tests. */
  readonly storages?: readonly Storage[];
  /** Act on what the works publish, in this order: those of the storages, but in tests. */
  readonly subscribers?: readonly Subscriber<Repositories>[];
}

export const openUnitOfWork = ({
  database,
  secretBox,
  wake,
  clock = systemClock,
  storages = STORAGES,
  subscribers = subscribersOf(storages),
}: UnitOfWorkParts): UnitOfWork<Repositories> => {
  const open = joinStorages(storages, subscribers, watchStore);
  const hurried = new Set(
    storages.flatMap(({ jobs = {} }) => Object.entries(jobs).flatMap(([kind, job]) => (job.hurried ? kind : []))),
  );
  return createKnexUnitOfWork(
    database,
    (session, leave: (work: LeftWork) => void, occasion) =>
      open({
        session,
        secretBox,
        noteJob: (kind) => void (hurried.has(kind) && leave('jobs')),
        leave,
        occasion,
        clock,
      }),
    wake,
  );
};

import type { Subscriber } from '../../../../application/shared/domain-events.js';
import type { SecretBox } from '../../../../application/shared/ports/secrets.js';
import type { UnitOfWork } from '../../../../application/shared/unit-of-work.js';
import type { Database } from './database.js';
import { createRepositories, type Repositories } from './repositories.js';

/** @param subscribers act, in this order, on what the works tell. */
export const createKnexUnitOfWork = (
  database: Database,
  secretBox: SecretBox,
  subscribers: readonly Subscriber<Repositories>[],
): UnitOfWork<Repositories> => ({
  execute: (work) => database.transact((session) => work(createRepositories(session, secretBox, subscribers))),
});

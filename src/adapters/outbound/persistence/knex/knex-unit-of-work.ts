import type { UnitOfWork } from '../../../../application/shared/unit-of-work.js';
import type { Database } from './database.js';
import { createRepositories, type Repositories } from './repositories.js';

export const createKnexUnitOfWork = (database: Database): UnitOfWork<Repositories> => ({
  execute: (work) => database.transact((session) => work(createRepositories(session))),
});

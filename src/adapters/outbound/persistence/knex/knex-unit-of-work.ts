import type { SecretBox } from '../../../../application/shared/ports/secrets.js';
import type { UnitOfWork } from '../../../../application/shared/unit-of-work.js';
import type { Database } from './database.js';
import { createRepositories, type Repositories } from './repositories.js';

export const createKnexUnitOfWork = (database: Database, secretBox: SecretBox): UnitOfWork<Repositories> => ({
  execute: (work) => database.transact((session) => work(createRepositories(session, secretBox))),
});

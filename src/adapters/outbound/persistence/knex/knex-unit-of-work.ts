import type { Subscriber } from '../../../../application/shared/domain-events.js';
import type { SecretBox } from '../../../../application/shared/ports/secrets.js';
import type { UnitOfWork } from '../../../../application/shared/unit-of-work.js';
import type { Database } from './database.js';
import { createRepositories, type Repositories } from './repositories.js';

/**
 * @param subscribers act, in this order, on what the works tell.
 * @param jobsAreDue is called after a commit that left something to be done.
 */
export const createKnexUnitOfWork = (
  database: Database,
  secretBox: SecretBox,
  subscribers: readonly Subscriber<Repositories>[],
  jobsAreDue: () => void = () => undefined,
): UnitOfWork<Repositories> => ({
  execute: async (work) => {
    const left = { jobs: false };
    const noteJob = () => {
      left.jobs = true;
    };
    const result = await database.transact((session) =>
      work(createRepositories(session, secretBox, subscribers, noteJob)),
    );
    if (left.jobs) jobsAreDue();
    return result;
  },
});

import type { Subscriber } from '../../../../application/shared/domain-events.js';
import type { SecretBox } from '../../../../application/shared/ports/secrets.js';
import type { UnitOfWork } from '../../../../application/shared/unit-of-work.js';
import { Conflict } from '../../../../domain/shared/domain-error.js';
import type { Database } from './database.js';
import { ForeignKeyViolation } from './dialect/constraint-violations.js';
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
    const result = await database
      .transact((session) => work(createRepositories(session, secretBox, subscribers, noteJob)))
      .catch(refuseWhatIsGone);
    if (left.jobs) jobsAreDue();
    return result;
  },
});

/** What a request names was there when it was looked for: only another work can have removed it since. */
const refuseWhatIsGone = (error: unknown): never => {
  if (!(error instanceof ForeignKeyViolation)) throw error;
  throw new Conflict('Something that this needs has just been removed: reload, and try again.', { cause: error });
};

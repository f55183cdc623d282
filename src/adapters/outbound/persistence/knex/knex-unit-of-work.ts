import { currentOccasion } from '../../../occasions/current-occasion.js';
import type { Occasion } from '../../../../application/shared/occasion.js';
import type { UnitOfWork } from '../../../../application/shared/unit-of-work.js';
import { Conflict } from '../../../../domain/shared/domain-error.js';
import type { Database } from './database.js';
import { ForeignKeyViolation } from './dialect/constraint-violations.js';
import type { Session } from './session.js';

/**
 * @param openRepositories makes those of one transaction; `noteJob` is to be called when it leaves a job that is due at once, and
 * `occasion` is who asked for it.
 * @param jobsAreDue is called after a commit that left something to be done.
 */
export const createKnexUnitOfWork = <Repositories>(
  database: Database,
  openRepositories: (session: Session, noteJob: () => void, occasion: Occasion | undefined) => Repositories,
  jobsAreDue: () => void,
): UnitOfWork<Repositories> => ({
  execute: async (work) => {
    const left = { jobs: false };
    // Works that share a transaction run one after another, on the occasion of the first.
    const occasion = currentOccasion();
    const noteJob = () => {
      left.jobs = true;
    };
    const result = await database
      .transact((session) => work(openRepositories(session, noteJob, occasion)))
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

import { currentOccasion } from '../../../occasions/current-occasion.js';
import type { Occasion } from '../../../../application/shared/occasion.js';
import type { UnitOfWork } from '../../../../application/shared/unit-of-work.js';
import { Conflict } from '../../../../domain/shared/domain-error.js';
import type { Database } from './database.js';
import { ForeignKeyViolation } from './dialect/constraint-violations.js';
import type { Session } from './session.js';

/**
 * @param openRepositories makes those of one transaction; `leave` is to be called when it leaves work that is due at once, and
 * `occasion` is who asked for it.
 * @param wake is called after a commit, once for each kind of work that it left.
 */
export const createKnexUnitOfWork = <Repositories, Work>(
  database: Database,
  openRepositories: (session: Session, leave: (work: Work) => void, occasion: Occasion | undefined) => Repositories,
  wake: (work: Work) => void,
): UnitOfWork<Repositories> => ({
  execute: async (work, manner) => {
    const left = new Set<Work>();
    // Works that share a transaction run one after another, on the occasion of the first.
    const occasion = currentOccasion();
    const leave = (kind: Work) => void left.add(kind);
    const result = await database
      .transact((session) => work(openRepositories(session, leave, occasion)), manner)
      .catch(refuseWhatIsGone);
    for (const kind of left) wake(kind);
    return result;
  },
});

/** What a request names was there when it was looked for: only another work can have removed it since. */
const refuseWhatIsGone = (error: unknown): never => {
  if (!(error instanceof ForeignKeyViolation)) throw error;
  throw new Conflict('Something that this needs has just been removed: reload, and try again.', { cause: error });
};

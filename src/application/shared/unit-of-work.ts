/**
 * One transaction. The work is handed the repositories of its own transaction; it rolls back when the work throws and commits
 * when it returns. What `execute` has answered has been committed. A work waits for nothing but its repositories: no hashing,
 * no network, no timers.
 *
 * @throws Unavailable when the database is out of reach.
 */
export interface UnitOfWork<Repositories> {
  /** @param manner how the work asks and ends; step by step unless told. */
  execute<Result>(work: (repositories: Repositories) => Promise<Result>, manner?: Manner): Promise<Result>;
}

/**
 * A work that asks `at once` asks all it has to ask before it waits for any of it: then nothing of it waits, not even its commit. So
 * what it decides by an answer undoes nothing: only a failure of what it asked does. Its repositories run prepared statements alone.
 *
 * A `repeatable` work asks step by step, and its commit doesn't wait for the disk. Killing the service undoes nothing of it; a loss of power
 * does, and a crash of PostgreSQL, until somebody else's commit has waited. So it is done again where it is lost, and nobody is told what
 * came of it: to take something off a queue for a while, or to note that it was done.
 */
export type Manner = 'step by step' | 'at once' | 'repeatable';

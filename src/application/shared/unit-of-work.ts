/**
 * One transaction. The work is handed the repositories of its own transaction; it rolls back when the work throws and commits
 * when it returns. What `execute` has answered has been committed. A work waits for nothing but its repositories: no hashing,
 * no network, no timers.
 *
 * @throws Unavailable when the database is out of reach.
 */
export interface UnitOfWork<Repositories> {
  /** @param asking how the work asks; step by step unless told. */
  execute<Result>(work: (repositories: Repositories) => Promise<Result>, asking?: Asking): Promise<Result>;
}

/**
 * A work that asks `at once` asks all it has to ask before it waits for any of it: then nothing of it waits, not even its commit. So
 * what it decides by an answer undoes nothing: only a failure of what it asked does. Its repositories run prepared statements alone.
 */
export type Asking = 'step by step' | 'at once';

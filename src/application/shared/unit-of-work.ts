/**
 * One transaction. The work is handed the repositories of its own transaction; it rolls back when the work throws and commits
 * when it returns. What `execute` has answered has been committed. A work waits for nothing but its repositories: no hashing,
 * no network, no timers.
 *
 * @throws Unavailable when the database is out of reach.
 */
export interface UnitOfWork<Repositories> {
  execute<Result>(work: (repositories: Repositories) => Promise<Result>): Promise<Result>;
}

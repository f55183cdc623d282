import type { Database } from '../../src/adapters/outbound/persistence/knex/database.js';

/** Counts the works that a database began again, as it does after a deadlock. */
export const countRetries = (database: Database): (() => number) => {
  let retries = 0;
  const transact = database.transact.bind(database);
  database.transact = (work) => {
    let attempts = 0;
    return transact((session) => {
      if ((attempts += 1) > 1) retries += 1;
      return work(session);
    });
  };
  return () => retries;
};

import type { Database } from '../../src/adapters/outbound/persistence/knex/database.js';
import type { TableName } from '../../src/adapters/outbound/persistence/knex/tables.js';

/** Looks at a table that another process writes to, while nobody does: what is seen stays so until the look has ended. */
export const whileNobodyWrites = <Result>(
  database: Database,
  table: TableName,
  look: () => Promise<Result>,
): Promise<Result> =>
  database.transact(async ({ query }) => {
    // A file has one writer at a time anyway.
    if (database.inThisThread === undefined) await query.raw('lock table ?? in share row exclusive mode', [table]);
    return look();
  });

import type Database from 'better-sqlite3';
import type { Orphans } from '../../../../../../application/storage/ports/storage-end.js';
import type { Fault, StoredKey } from '../../../../../../application/storage/ports/stored-rows.js';
import { keyColumns, STORED_TABLES } from '../../storage/stored-tables.js';

/** Of rows that refer to nothing, which is to be seen where whoever wrote them had the check of references off. */
const ORPHANS = `select orphan."table" as name, cast(orphan.rowid as text) as row, orphan.parent, reference."from" as refers
  from pragma_foreign_key_check as orphan join pragma_foreign_key_list(orphan."table") as reference on reference.id = orphan.fkid and reference.seq = 0`;

interface Orphan {
  readonly name: string;
  readonly row: string;
  readonly parent: string;
  readonly refers: string;
}

const keyOf = (connection: Database.Database, { name, row }: Orphan): StoredKey => {
  const table = STORED_TABLES.find((stored) => stored.name === name);
  if (table === undefined) return [row];
  const columns = keyColumns(table).map((column) => `cast(${column.name} as text)`);
  const statement = `select ${columns.join(', ')} from ${name} where rowid = cast(? as integer)`;
  return connection.prepare<[string], string[]>(statement).raw().get(row) ?? [row];
};

export const findOrphans = (connection: Database.Database, limit: number): Orphans => {
  const found: Orphan[] = [];
  let count = 0;
  for (const orphan of connection.prepare<[], Orphan>(ORPHANS).iterate()) {
    count += 1;
    if (found.length < limit) found.push(orphan);
  }
  const first = found.map((orphan): Fault => {
    const says = `refers to a row of ${orphan.parent} that is not there`;
    return { table: orphan.name, key: keyOf(connection, orphan), column: orphan.refers, says };
  });
  return { first, count };
};

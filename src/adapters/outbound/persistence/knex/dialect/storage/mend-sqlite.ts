import type Database from 'better-sqlite3';
import type { Fault } from '../../../../../../application/storage/ports/stored-rows.js';
import { keyColumns, typedTableOf } from '../../storage/stored-tables.js';
import type { LogicalType } from '../../tables/table.js';
import { isOneOf } from './sqlite-rows.js';

/** What people and programs wrote. Secrets would not be what they were. */
const MENDED: ReadonlySet<LogicalType | undefined> = new Set(['text', 'key', 'json']);
const REPLACEMENT = '\uFFFD';

/** Puts U+FFFD for each U+0000 and for bytes that are no text; false where a value is wrong for another reason. */
export const mendSqlite = (connection: Database.Database, { table: name, key, column }: Fault): boolean => {
  const table = typedTableOf({ name, columns: [], key: [] });
  const type = table.typed.find((each) => each.name === column)?.type;
  if (!MENDED.has(type) || keyColumns(table).some((each) => each.name === column)) return false;
  const where = isOneOf(table, 1);
  const bytes = connection
    .prepare<string[], Buffer>(`select cast(${column} as blob) from ${name} where ${where}`)
    .pluck()
    .get(...key);
  // Changed meanwhile, or gone: the next look sees what is there.
  if (bytes == null) return false;
  const mended = bytes.toString('utf8').replaceAll('\0', REPLACEMENT);
  return connection.prepare(`update ${name} set ${column} = ? where ${where}`).run(mended, ...key).changes === 1;
};

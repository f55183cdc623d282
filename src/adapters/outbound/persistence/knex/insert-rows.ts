import { together } from '../../../../application/shared/together.js';
import type { Dialect } from './dialect/dialect.js';
import type { RowOfValues, TypedColumn } from './dialect/row-sets.js';
import type { Session } from './session.js';
import { TABLES, type RowOf, type TableName } from './tables.js';

type ColumnOf<Name extends TableName> = keyof RowOf<Name> & string;

/** Columns of a table with their types, in this order. */
export const typedColumns = <Name extends TableName>(
  table: Name,
  names: readonly ColumnOf<Name>[],
): readonly TypedColumn[] => {
  const columns: Readonly<Record<string, { readonly type: TypedColumn['type'] } | undefined>> = TABLES[table].columns;
  return names.map((name) => ({ name, type: columns[name]!.type }));
};

/** Inserts rows, whose values stand in the order of the columns, and returns what the end of the statement asks for. */
export type InsertRows = <Inserted = never>(
  session: Session,
  rows: readonly RowOfValues[],
) => Promise<readonly Inserted[]>;

/** Rows after which others are let in: where the database works in this thread, long sets must not hold up what else there is to answer. */
const BREATH = 64;

/**
 * Inserts rows into a table by as few statements as the database can. Whoever has thousands inserts some hundreds at a time: where the
 * database works in this thread, nothing else is answered meanwhile.
 *
 * @param end of the statement: what becomes of a conflict, and what is returned.
 */
export const insertInto = <Name extends TableName>(
  table: Name,
  names: readonly ColumnOf<Name>[],
  end = '',
): InsertRows => {
  const columns = typedColumns(table, names);
  let prepared: { readonly dialect: Dialect; readonly textOf: (count: number) => string } | undefined;
  const textsFor = (dialect: Dialect): ((count: number) => string) => {
    if (prepared?.dialect !== dialect) prepared = { dialect, textOf: dialect.insertInto(table, columns, end) };
    return prepared.textOf;
  };
  return async <Inserted>(session: Session, rows: readonly RowOfValues[]) => {
    const { dialect } = session;
    const textOf = textsFor(dialect);
    const asked: Promise<readonly Inserted[]>[] = [];
    // None waits for the one before: whatever is asked next finds all of the rows.
    for (let start = 0; start < rows.length;) {
      const some = rows.slice(start, start + dialect.rowsAtOnce(rows.length - start));
      asked.push(session.run<Inserted>(textOf(some.length), dialect.writeInserted(columns, some)));
      start += some.length;
    }
    const inserted = (await together(asked)).flat();
    if (rows.length >= BREATH) await new Promise((resume) => setImmediate(resume));
    return inserted;
  };
};

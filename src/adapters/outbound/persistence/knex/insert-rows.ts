import type { Session } from './session.js';

/** Rows of one statement at most: each number of rows is a statement of its own that connections keep. */
const AT_ONCE = 64;

/** Inserts rows, many at once. `columns` and the values of each row stand in the same order. */
export const insertRows = async (
  session: Session,
  table: string,
  columns: readonly string[],
  rows: readonly (readonly unknown[])[],
): Promise<void> => {
  const places = `(${columns.map(() => '?').join(', ')})`;
  for (let start = 0; start < rows.length; start += AT_ONCE) {
    const some = rows.slice(start, start + AT_ONCE);
    const values = some.map(() => places).join(', ');
    await session.run(`insert into ${table} (${columns.join(', ')}) values ${values}`, some.flat());
  }
};

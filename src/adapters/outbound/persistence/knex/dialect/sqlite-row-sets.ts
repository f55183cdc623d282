import type { RowSets } from './row-sets.js';

/** A power of two: so there are seven statements for any number of rows. */
const AT_ONCE = 64;

export const sqliteRowSets: RowSets = {
  rowsAtOnce: (count) => (count >= AT_ONCE ? AT_ONCE : 2 ** Math.floor(Math.log2(count))),
  insertInto: (table, columns, end) => {
    const begin = `insert into ${table} (${columns.map(({ name }) => name).join(', ')}) values `;
    const row = `(${columns.map(() => '?').join(', ')})`;
    const texts = new Map<number, string>();
    return (count) => {
      const known = texts.get(count);
      if (known !== undefined) return known;
      const text = `${begin}${new Array<string>(count).fill(row).join(', ')} ${end}`;
      texts.set(count, text);
      return text;
    };
  },
  writeInserted: (_columns, rows) => rows.flat(),
  rowsAs: (name, columns) =>
    `(select ${columns.map((column, place) => `value ->> ${place} as ${column.name}`).join(', ')} from json_each(?)) as ${name}`,
  writeRows: (_columns, rows) => [JSON.stringify(rows)],
  isOneOf: (column) => `${column} in (select value from json_each(?))`,
  writeTexts: (texts) => JSON.stringify(texts),
  takeForEach: (columns, table, where) =>
    `select ${columns} from json_each(?) as wanted cross join ${table} where ${where}`,
};

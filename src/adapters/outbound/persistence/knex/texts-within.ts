import type { Knex } from 'knex';
import { bytesOf, type SizedRow } from './read-in-batches.js';

/**
 * The texts of rows, as far as they fit into so many bytes in all: each one that still fits is read, the others are not.
 * @param rows with the size of their text.
 * @param texts a query of the table, where `column` is the text.
 */
export const textsWithin = async (
  rows: readonly SizedRow[],
  most: number,
  texts: Knex.QueryBuilder,
  column: string,
): Promise<ReadonlyMap<number, string>> => {
  let left = most;
  const fitting = rows.filter((row) => {
    const fits = row.bytes !== null && bytesOf(row) <= left;
    if (fits) left -= bytesOf(row);
    return fits;
  });
  if (fitting.length === 0) return new Map();
  const found = (await texts
    .whereIn(
      'id',
      fitting.map(({ id }) => id),
    )
    .select('id', { text: column })) as { id: number; text: string }[];
  return new Map(found.map(({ id, text }) => [id, text]));
};

import { setImmediate as others } from 'node:timers/promises';

/** As much text as one batch reads, unless one row alone has more. */
const BATCH_BYTES = 262_144;

/** Splits rows into batches of bounded size, in their order. */
const inBatches = <Row>(rows: readonly Row[], bytesOf: (row: Row) => number): readonly (readonly Row[])[] => {
  const batches: Row[][] = [];
  let left = 0;
  for (const row of rows) {
    const bytes = bytesOf(row);
    const batch = batches.at(-1);
    if (batch === undefined || bytes > left) {
      batches.push([row]);
      left = BATCH_BYTES - bytes;
    } else {
      batch.push(row);
      left -= bytes;
    }
  }
  return batches;
};

/**
 * Reads what belongs to rows, a batch at a time as it is asked for. Others are let in between: a database that lives in this process
 * answers within the turn that asks.
 */
export async function* readInBatches<Row, Item>(
  rows: readonly Row[],
  bytesOf: (row: Row) => number,
  read: (rows: readonly Row[]) => Promise<readonly Item[]>,
): AsyncGenerator<readonly Item[], void, undefined> {
  for (const [index, batch] of inBatches(rows, bytesOf).entries()) {
    if (index > 0) await others();
    yield await read(batch);
  }
}

/** A row of which only its size is known yet. */
export interface SizedRow {
  readonly id: number;
  readonly bytes: number | string | null;
}

export const bytesOf = ({ bytes }: SizedRow): number => Number(bytes ?? 0);

/** Items in the order of ids; those that are gone are left out. */
export const inOrderOf = <Item extends { readonly id: number }>(
  ids: readonly number[],
  items: readonly Item[],
): readonly Item[] => {
  const byId = new Map(items.map((item) => [item.id, item]));
  return ids.flatMap((id) => byId.get(id) ?? []);
};

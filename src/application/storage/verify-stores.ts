import { compareTable, type TableComparison } from './compare-stores.js';
import type { Counters, RowSource, StartDigest, StoredTable } from './ports/stored-rows.js';

export interface Verification {
  readonly tables: readonly TableComparison[];
  /** Tables that would give out another number next, with the last numbers here and there. */
  readonly counters: readonly (readonly [table: string, here: string, there: string])[];
  /** Over the digests of all tables of the store that is here. */
  readonly sha256: string;
  readonly equal: boolean;
}

const differentCounters = (tables: readonly StoredTable[], here: Counters, there: Counters): Verification['counters'] =>
  tables.flatMap(({ name }) => {
    const [one, other] = [here.get(name) ?? '0', there.get(name) ?? '0'];
    return one === other ? [] : [[name, one, other] as const];
  });

/** Compares two stores, every row of every table. */
export const verifyStores = async (
  tables: readonly StoredTable[],
  here: RowSource,
  there: RowSource,
  startDigest: StartDigest,
): Promise<Verification> => {
  const compared: TableComparison[] = [];
  const total = startDigest();
  for (const table of tables) {
    const comparison = await compareTable(table, here, there, startDigest);
    compared.push(comparison);
    total.update(`${comparison.table} ${comparison.here.rows} ${comparison.here.sha256}\n`);
  }
  const counters = differentCounters(tables, await here.counters(), await there.counters());
  const equal = counters.length === 0 && compared.every(({ different }) => different === 0);
  return { tables: compared, counters, sha256: total.end(), equal };
};

import type { StorageEnd } from './ports/storage-end.js';
import type { Fault, RowSource, StoredTable } from './ports/stored-rows.js';
import { heeding } from './turns.js';

/** What a store holds. */
export interface Look {
  readonly rows: number;
  /** The first values that not every database can keep. */
  readonly faults: readonly Fault[];
  readonly faulty: number;
}

/** Faults that are told at most. */
const TOLD = 20;

export const lookAtStore = async (tables: readonly StoredTable[], source: RowSource): Promise<Look> => {
  const faults: Fault[] = [];
  let [rows, faulty] = [0, 0];
  for (const table of tables)
    for await (const page of source.pages(table)) {
      rows += page.rows.length;
      faulty += page.faults.length;
      faults.push(...page.faults.slice(0, TOLD - faults.length));
    }
  return { rows, faults, faulty };
};

/** The same of a database that is to be moved, with rows that refer to nothing: one that holds its rows against each other refuses them. */
export const lookAtSource = async (
  tables: readonly StoredTable[],
  source: StorageEnd,
  rest: () => Promise<void>,
): Promise<Look> => {
  const { rows, faults, faulty } = await source.byPages((read) => lookAtStore(tables, heeding(read, rest)));
  const orphans = await source.orphans(TOLD);
  return { rows, faults: [...faults, ...orphans.first].slice(0, TOLD), faulty: faulty + orphans.count };
};

/** A fault as an operator is told of it. */
export const describeFault = ({ table, key, column, says }: Fault): string =>
  `${table} ${key.join(', ')} ${column}: ${says}.`;

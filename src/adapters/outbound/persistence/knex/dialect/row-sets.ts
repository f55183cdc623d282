import type { LogicalType } from '../tables/table.js';

export interface TypedColumn {
  readonly name: string;
  readonly type: LogicalType;
}

/** Values in the order of their columns. */
export type RowOfValues = readonly unknown[];

/** How many rows are written by one statement: databases differ in how a set of rows is bound. */
export interface RowSets {
  /** Of so many rows, how many the next statement takes. */
  rowsAtOnce(count: number): number;
  /** Makes the SQL that inserts so many rows, which ends as is said; each text is a statement that connections keep prepared. */
  insertInto(table: string, columns: readonly TypedColumn[], end: string): (count: number) => string;
  writeInserted(columns: readonly TypedColumn[], rows: readonly RowOfValues[]): readonly unknown[];
  /** Rows of bindings as a table in a `from`, whose columns these are; `writeRows` makes the bindings. */
  rowsAs(name: string, columns: readonly TypedColumn[]): string;
  writeRows(columns: readonly TypedColumn[], rows: readonly RowOfValues[]): readonly unknown[];
  /** Whether a column is one of the texts of a binding, which `writeTexts` makes. */
  isOneOf(column: string): string;
  writeTexts(texts: readonly string[]): unknown;
  /**
   * A `select` that finds rows for each text of a first binding, in their order, and holds them until the transaction ends. `where` calls the
   * text `wanted.value`. Each is looked up by itself: for a whole list, a planner that knows little of a young table may read all of it.
   */
  takeForEach(columns: string, table: string, where: string): string;
}

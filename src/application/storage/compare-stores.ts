import { lineOf, type StoredRow, type StoredValue } from '../../domain/storage/stored-row.js';
import type { RowSource, RunningDigest, StartDigest, StoredKey, StoredTable } from './ports/stored-rows.js';

/** Where two stores differ. */
export interface Difference {
  readonly table: string;
  readonly key: StoredKey;
  /** Which of them lacks the row, or the columns whose values differ. */
  readonly differs: 'missing here' | 'missing there' | readonly DifferentColumn[];
}

/** Values are not told, but for their length: they may be secrets. */
export interface DifferentColumn {
  readonly column: string;
  readonly lengths: readonly [here: number | null, there: number | null];
}

export interface TableDigest {
  readonly rows: number;
  readonly sha256: string;
}

export interface TableComparison {
  readonly table: string;
  readonly here: TableDigest;
  readonly there: TableDigest;
  /** The first of them. */
  readonly differences: readonly Difference[];
  readonly different: number;
}

/** Differences of one table that are told at most. */
const TOLD = 20;

/** The rows of a table one by one, without waiting for each. */
class Rows {
  readonly #pages: AsyncIterator<{ readonly rows: readonly StoredRow[] }>;
  #page: readonly StoredRow[] = [];
  #place = 0;
  #count = 0;

  constructor(
    source: RowSource,
    table: StoredTable,
    private readonly digest: RunningDigest,
  ) {
    this.#pages = source.pages(table)[Symbol.asyncIterator]();
  }

  /** The row that is to be taken next. */
  get row(): StoredRow | undefined {
    return this.#page[this.#place];
  }

  /** Makes `row` the next one. */
  advance(): void {
    this.#place += 1;
  }

  /** Reads on where `row` stands behind the page. */
  async fill(): Promise<void> {
    if (this.#place < this.#page.length) return;
    const next = await this.#pages.next();
    if (next.done === true) return;
    this.#page = next.value.rows;
    this.#place = 0;
    this.#count += this.#page.length;
    this.digest.update(this.#page.map(lineOf).join(''));
  }

  end(): TableDigest {
    return { rows: this.#count, sha256: this.digest.end() };
  }
}

const byCodePoint = (a: string, b: string): number => {
  let place = 0;
  while (place < a.length && a[place] === b[place]) place += 1;
  // Halves of a pair stand for more than any other unit does: the pair begins one before.
  const start = place > 0 && (a.charCodeAt(place - 1) & 0xfc00) === 0xd800 ? place - 1 : place;
  return (a.codePointAt(start) ?? -1) - (b.codePointAt(start) ?? -1);
};

const byNumber = (a: string, b: string): number => {
  const difference = BigInt(a) - BigInt(b);
  return difference === 0n ? 0 : difference < 0n ? -1 : 1;
};

/** In the order in which stores hand out rows. */
const compareKeys = ({ key }: StoredTable, a: StoredRow, b: StoredRow): number => {
  for (const { place, sorted } of key) {
    const [one, other] = [a[place] ?? '', b[place] ?? ''];
    if (one === other) continue;
    return sorted === 'by number' ? byNumber(one, other) : byCodePoint(one, other);
  }
  return 0;
};

const lengthOf = (value: StoredValue | undefined): number | null => value?.length ?? null;

const differentColumns = ({ columns }: StoredTable, here: StoredRow, there: StoredRow): readonly DifferentColumn[] =>
  columns.flatMap((column, place) =>
    here[place] === there[place] ? [] : [{ column, lengths: [lengthOf(here[place]), lengthOf(there[place])] as const }],
  );

const isMissing = (table: StoredTable, here: StoredRow | undefined, there: StoredRow | undefined): number => {
  if (here === undefined) return 1;
  if (there === undefined) return -1;
  return compareKeys(table, here, there);
};

/** Compares a table of two stores row by row, in bounded memory. */
export const compareTable = async (
  table: StoredTable,
  here: RowSource,
  there: RowSource,
  startDigest: StartDigest,
): Promise<TableComparison> => {
  const [these, those] = [new Rows(here, table, startDigest()), new Rows(there, table, startDigest())];
  const differences: Difference[] = [];
  let different = 0;
  const tell = (row: StoredRow, differs: Difference['differs']): void => {
    if (typeof differs !== 'string' && differs.length === 0) return;
    different += 1;
    const key = table.key.map(({ place }) => row[place] ?? '');
    if (differences.length < TOLD) differences.push({ table: table.name, key, differs });
  };
  for (;;) {
    if (these.row === undefined || those.row === undefined) await Promise.all([these.fill(), those.fill()]);
    const [a, b] = [these.row, those.row];
    if (a === undefined && b === undefined) break;
    const order = isMissing(table, a, b);
    if (order === 0 && a !== undefined && b !== undefined) tell(a, differentColumns(table, a, b));
    else if (order < 0 && a !== undefined) tell(a, 'missing there');
    else if (b !== undefined) tell(b, 'missing here');
    if (order <= 0) these.advance();
    if (order >= 0) those.advance();
  }
  return { table: table.name, here: these.end(), there: those.end(), differences, different };
};

const inWords = ({ column, lengths: [here, there] }: DifferentColumn): string => {
  const length = (characters: number | null): string => (characters === null ? 'empty' : `${characters} characters`);
  return here === there ? column : `${column} (${length(here)} here, ${length(there)} there)`;
};

/** A difference as an operator is told of it. */
export const describeDifference = ({ table, key, differs }: Difference): string =>
  typeof differs === 'string'
    ? `${table} ${key.join(', ')}: ${differs}`
    : `${table} ${key.join(', ')}: differs in ${differs.map(inWords).join(', ')}`;

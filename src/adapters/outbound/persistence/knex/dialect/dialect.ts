import type { Knex } from 'knex';
import type { LinkedStatement, RunLinked } from './linked-statements.js';
import type { RowSets } from './row-sets.js';

/** Everything that differs between databases when a row is read or written. */
export interface Dialect extends RowSets {
  /** An instant as a query binding. */
  writeInstant(at: Date): Date | string;
  /** An instant as the driver answered it. */
  readInstant(value: unknown): Date;
  /** The driver's error as one of ours (`UniqueViolation`, `ForeignKeyViolation`, `Unavailable`), or as it was. */
  translateError(error: unknown): unknown;
  /** Joins the rows of a table that have a value of the rows before in a column, looked up for each by an index. */
  lookUp(table: string, column: string, value: string): string;
  /** What follows the name of a table where its planner must be told which index to take, and can be. */
  byIndex(name: string): string;
  /** Numbers as one binding, for `listed`, `isListed` and `among`. */
  writeNumbers(numbers: readonly number[]): string;
  /** All numbers of a column, as `writeNumbers` writes them. */
  numbersOf(column: string): string;
  /** A `select` of the numbers of a binding, in its column `value`. */
  readonly listed: string;
  /** Whether a number is one of those of a binding, told for row after row. The statement is planned anew. */
  isListed(number: string): string;
  /** Whether a column is one of the numbers of a binding, as a range of an index that is jumped to for each. */
  among(column: string): string;
  /** The same for what a statement finds, which is the binding; it is asked once, whatever the planner expects of it. */
  amongFound(column: string): string;
  /** A `select` of the last number that a table gave its rows, as `number`; none, or null, where it gave none yet. */
  lastNumber(table: string): string;
  /** The UTC day of an instant's column as SQL, `YYYY-MM-DD`. */
  dayOf(column: string): string;
  /** Something that the instants of a UTC day have in common, whose `dayOf` is that day: quicker to find out for thousands of rows. */
  sameDay(column: string): string;
  /** Whether a text is like a binding of `asciiPattern`, whose letters from A to Z are lower case: databases differ in how they see others. */
  isLikeAscii(text: string): string;
  /** A text with its letters from A to Z as lower case, which is ordered by the numbers of its characters. */
  lowerAscii(text: string): string;
  /** A `select` of the ids in an index of texts whose text has all of `writeGrams`, no more than a second binding. */
  idsByGrams(index: string): string;
  /** Grams of three letters as one binding, for `idsByGrams`. */
  writeGrams(grams: readonly string[]): string;
  /** Where a binding begins in a text as SQL, counted from 1; 0 where it isn't. */
  indexIn(text: string): string;
  /** The end of a `select` that holds its rows as `lockRows` does. */
  readonly rowLock: '' | 'for no key update';
  /**
   * A statement that holds a name, its one binding, until the transaction ends, and waits for whoever holds it now: for what is counted
   * in rows of which there may be none yet. Empty where one writer holds everything.
   */
  readonly holdName: string;
  /**
   * The end of a `select` whose rows of a table stay until the transaction ends: unchanged, or only existing. Several transactions may
   * hold a row so.
   */
  sharedLock(table: string, stay: 'unchanged' | 'existing'): string;
  /** How statements run that need the ids of each other's rows. */
  linkStatements(statements: readonly LinkedStatement[]): RunLinked;
  /**
   * Holds the rows of a query until the transaction ends; waits for whoever holds them now. Rows that refer to them may still be added: were
   * these to wait, too, whoever adds one and then holds what it refers to would end in a deadlock with whoever takes both the other way round.
   */
  lockRows<Rows extends object, Result>(query: Knex.QueryBuilder<Rows, Result>): Knex.QueryBuilder<Rows, Result>;
  /** The same, before a removal: nobody adds a row that refers to them, either. */
  lockRowsAgainstReferences<Rows extends object, Result>(
    query: Knex.QueryBuilder<Rows, Result>,
  ): Knex.QueryBuilder<Rows, Result>;
  /** Holds the rows of a query until the transaction ends, passing over those that another transaction holds. */
  holdRows<Rows extends object, Result>(query: Knex.QueryBuilder<Rows, Result>): Knex.QueryBuilder<Rows, Result>;
}

/** As either driver answers it: what was read of one database may be looked at after the storage moved to the other. */
export const readInstant: Dialect['readInstant'] = (value) =>
  typeof value === 'string' ? new Date(value) : (value as Date);

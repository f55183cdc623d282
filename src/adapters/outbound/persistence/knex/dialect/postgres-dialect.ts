import { isNativeError } from 'node:util/types';
import { NotReached } from '../../../../../application/shared/together.js';
import { Unavailable } from '../../../../../domain/shared/domain-error.js';
import { readInstant, type Dialect } from './dialect.js';
import { ForeignKeyViolation, StorageMoved, UniqueViolation } from './constraint-violations.js';
import { linkIntoOne } from './linked-statements.js';
import { postgresRowSets } from './postgres-row-sets.js';
import { FENCED_STATE } from './storage/fenced.js';

interface DriverError extends Error {
  readonly code?: string;
  readonly constraint?: string;
}

// Class 08: connection exceptions; 57P01-57P03: shutting down or starting up; 53: out of connections, memory or disk; 57014: a statement
// that took longer than any may.
const UNAVAILABLE_STATE = /^(?:08...|57P0[1-5]|57014|53...|25006)$/;
const UNAVAILABLE_SYSTEM = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
const CONNECTION_LOST =
  /Connection terminated|is not queryable|timeout exceeded when trying to connect|Connection ended/i;

const isUnavailable = (error: DriverError): boolean =>
  (error.code !== undefined && (UNAVAILABLE_STATE.test(error.code) || UNAVAILABLE_SYSTEM.has(error.code))) ||
  error.name === 'KnexTimeoutError' ||
  CONNECTION_LOST.test(error.message);

/** What a transaction answers to every statement after one that failed. */
const ABORTED = '25P02';

const translateError = (error: unknown): unknown => {
  // Not `instanceof`: errors of sockets may come from another realm than ours, as they do under a test runner.
  if (!isNativeError(error)) return error;
  const driverError: DriverError = error;
  if (driverError.code === '23505') return new UniqueViolation(driverError.constraint ?? '', { cause: error });
  if (driverError.code === '23503') return new ForeignKeyViolation('foreign key', { cause: error });
  if (driverError.code === ABORTED) return new NotReached(driverError.message, { cause: error });
  if (driverError.code === FENCED_STATE) return new StorageMoved(driverError.message, { cause: error });
  if (isUnavailable(driverError)) return new Unavailable('database', { cause: error });
  return error;
};

const LISTED = 'select unnest(cast(? as bigint[])) as value';

/** As `search_grams` in the database makes it. */
const gramNumber = (gram: string): bigint =>
  Array.from(gram).reduce((number, letter) => (number << 21n) | BigInt(letter.codePointAt(0) ?? 0), 0n);

const lowerAscii = (text: string): string => `lower(${text} collate "C")`;

export const postgresDialect: Dialect = {
  ...postgresRowSets,
  writeInstant: (at) => at,
  readInstant,
  translateError,
  // Without the `offset` it becomes part of the query around it, which would read the whole table for one value.
  lookUp: (table, column, value) =>
    `cross join lateral (select * from ${table} where ${column} = ${value} offset 0) ${table}`,
  byIndex: () => '',
  writeNumbers: (numbers) => `{${numbers.join(',')}}`,
  // As text: the driver would read an array of thousands more slowly than the server makes it.
  numbersOf: (column) => `'{' || coalesce(string_agg(cast(${column} as text), ','), '') || '}'`,
  listed: LISTED,
  // The planner would estimate how rare each of thousands is, which takes longer than to look: what a `case` says it doesn't ask.
  isListed: (number) => `case when ${number} = any (cast(? as bigint[])) then true else false end`,
  amongFound: (column) => `${column} = any (array?)`,
  among: (column) => `${column} = any (array(${LISTED}))`,
  lastNumber: (table) => `select pg_sequence_last_value(pg_get_serial_sequence('${table}', 'id')) as number`,
  dayOf: (column) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD')`,
  sameDay: (column) => `date_bin('1 day', ${column}, timestamptz '2000-01-01 00:00:00+00')`,
  idsByGrams: (index) => `select id from ${index} where search_grams(text) @> cast(? as bigint[]) limit ?`,
  writeGrams: (grams) => `{${grams.map(gramNumber).join(',')}}`,
  indexIn: (text) => `strpos(${text}, ?)`,
  lowerAscii,
  isLikeAscii: (text) => `${lowerAscii(text)} like ? escape '\\'`,
  rowLock: 'for no key update',
  holdName: 'select pg_advisory_xact_lock(hashtextextended(?, 0))',
  sharedLock: (table, stay) => `for ${stay === 'unchanged' ? 'share' : 'key share'} of ${table}`,
  linkStatements: linkIntoOne,
  lockRows: (query) => query.forNoKeyUpdate(),
  lockRowsAgainstReferences: (query) => query.forUpdate(),
  holdRows: (query) => query.forUpdate().skipLocked(),
};

const RETRYABLE_STATE = new Set(['40001', '40P01']);

/** Serialization failures and deadlocks: the same work may well succeed when it is tried again. */
export const isRetryable = (error: unknown): boolean => RETRYABLE_STATE.has((error as DriverError | null)?.code ?? '');

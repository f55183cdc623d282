import { Unavailable } from '../../../../../domain/shared/domain-error.js';
import { readInstant, type Dialect } from './dialect.js';
import { ForeignKeyViolation, StorageMoved, UniqueViolation } from './constraint-violations.js';
import { linkInTurn } from './linked-statements.js';
import { sqliteRowSets } from './sqlite-row-sets.js';
import { createInstantWriter } from './write-instants.js';
import { FENCED } from './storage/fenced.js';

// "UNIQUE constraint failed: emails.user_id, emails.address_key"
const constraintOf = (message: string): string => {
  const columns = message.slice(message.indexOf('failed: ') + 'failed: '.length).split(', ');
  const table = columns[0]?.split('.')[0] ?? '';
  return [table, ...columns.map((column) => column.split('.')[1]), 'unique'].join('_');
};

const UNAVAILABLE = /^SQLITE_(?:BUSY|LOCKED|IOERR|CANTOPEN|FULL|READONLY|NOTADB)/;

// The driver's errors are told apart by `code`: their class differs from one module realm to the next.
const codeOf = (error: unknown): string => (error as { code?: string } | null)?.code ?? '';

const translateError = (error: unknown): unknown => {
  const code = codeOf(error);
  if (code === 'SQLITE_CONSTRAINT_UNIQUE')
    return new UniqueViolation(constraintOf((error as Error).message), { cause: error });
  if (code === 'SQLITE_CONSTRAINT_FOREIGNKEY') return new ForeignKeyViolation('foreign key', { cause: error });
  if (code === 'SQLITE_CONSTRAINT_TRIGGER' && (error as Error).message === FENCED)
    return new StorageMoved(FENCED, { cause: error });
  if (UNAVAILABLE.test(code)) return new Unavailable('database', { cause: error });
  return error;
};

const writeInstant = createInstantWriter();

const LISTED = 'select value from json_each(?)';

export const sqliteDialect: Dialect = {
  ...sqliteRowSets,
  writeInstant,
  readInstant,
  translateError,
  lookUp: (table, column, value) => `cross join ${table} on ${table}.${column} = ${value}`,
  byIndex: (name) => `indexed by ${name}`,
  writeNumbers: (numbers) => JSON.stringify(numbers),
  numbersOf: (column) => `json_group_array(${column})`,
  listed: LISTED,
  isListed: (number) => `${number} in (${LISTED})`,
  amongFound: (column) => `${column} in ?`,
  among: (column) => `${column} in (${LISTED})`,
  lastNumber: (table) => `select seq as number from sqlite_sequence where name = '${table}'`,
  dayOf: (column) => `substr(${column}, 1, 10)`,
  sameDay: (column) => `substr(${column}, 1, 10)`,
  idsByGrams: (index) => `select rowid as id from ${index} where ${index} match ? limit ?`,
  writeGrams: (grams) => grams.map((gram) => `"${gram.replaceAll('"', '""')}"`).join(' AND '),
  indexIn: (text) => `instr(${text}, ?)`,
  lowerAscii: (text) => `lower(${text})`,
  isLikeAscii: (text) => `${text} like ? escape '\\'`,
  // The one writer lane holds everything already.
  rowLock: '',
  holdName: '',
  sharedLock: () => '',
  linkStatements: linkInTurn,
  lockRows: (query) => query,
  lockRowsAgainstReferences: (query) => query,
  holdRows: (query) => query,
};

export const isBusy = (error: unknown): boolean =>
  codeOf(error).startsWith('SQLITE_BUSY') ||
  (error instanceof Unavailable && codeOf(error.cause).startsWith('SQLITE_BUSY'));

import { madeOnce } from '../../../../../../domain/shared/made-once.js';
import { keyColumns, isNumber, STORED_TABLES, type TypedTable } from '../../storage/stored-tables.js';
import { FENCED } from './fenced.js';

const WRITES = ['insert', 'update', 'delete'] as const;
type Write = (typeof WRITES)[number];

const fenceOf = (table: string, write: Write): string => `storage_fence_${table}_${write}`;
const notesOf = (table: string, write: Write): string => `storage_notes_${table}_${write}`;

const keyAsJson = (table: TypedTable, row: 'old' | 'new'): string =>
  `json_array(${keyColumns(table)
    .map(({ name, type }) => (isNumber(type) ? `cast(${row}.${name} as text)` : `${row}.${name}`))
    .join(', ')})`;

const note = (table: TypedTable, row: 'old' | 'new', where = ''): string =>
  `insert into storage_changes (table_name, row_key) select '${table.name}', ${keyAsJson(table, row)} ${where};`;

const keyChanged = (table: TypedTable): string =>
  `where ${keyColumns(table)
    .map(({ name }) => `old.${name} is not new.${name}`)
    .join(' or ')}`;

const notesAfter = (table: TypedTable, write: Write): string => {
  if (write === 'insert') return note(table, 'new');
  if (write === 'delete') return note(table, 'old');
  return note(table, 'new') + note(table, 'old', keyChanged(table));
};

/** Only moves ask for them: whoever else runs never makes them. */
const each = (make: (table: TypedTable, write: Write) => string): (() => readonly string[]) =>
  madeOnce(() => STORED_TABLES.flatMap((table) => WRITES.map((write) => make(table, write))));

/** Statements that let every write fail once the database is marked as left: who writes sees the last mark, whatever they have read before. */
export const fence = each(
  ({ name }, write) =>
    `create trigger if not exists ${fenceOf(name, write)} before ${write} on ${name}
       when (select role from storage_control where id = 1) = 'left' begin select raise(abort, '${FENCED}'); end`,
);

/** How many of them have been made. */
export const COUNT_FENCE = `select count(*) from sqlite_master where type = 'trigger' and name like 'storage!_fence!_%' escape '!'`;

/** Statements that let every write be noted. */
export const takeNotes = each(
  (table, write) =>
    `create trigger if not exists ${notesOf(table.name, write)} after ${write} on ${table.name} begin ${notesAfter(table, write)} end`,
);

/** Statements that end both. */
export const dropTriggers = each(
  ({ name }, write) => `drop trigger if exists ${fenceOf(name, write)}; drop trigger if exists ${notesOf(name, write)}`,
);

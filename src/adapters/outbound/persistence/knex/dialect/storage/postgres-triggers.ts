import { isNumber, keyColumns, STORED_TABLES, type TypedTable } from '../../storage/stored-tables.js';
import { FENCED, FENCED_STATE } from './fenced.js';

const FENCE_NAME = 'storage_fence';

const notesOf = (table: string, write: string): string => `storage_notes_${write}_${table}`;

const select = (table: TypedTable, from: string): string =>
  `select '${table.name}', json_build_array(${keyColumns(table)
    .map(({ name, type }) => (isNumber(type) ? `${name}::text` : name))
    .join(', ')})::text from ${from}`;

const functionOf = (name: string, body: string): string =>
  `create or replace function ${name}() returns trigger language plpgsql as $$ begin ${body} end $$`;

const note = (rows: string): string => `insert into storage_changes (table_name, row_key) ${rows}; return null;`;

/** Statements that let every write fail. A trigger is the catalogue's, which no snapshot hides. */
export const fence = (): readonly string[] => [
  functionOf(FENCE_NAME, `raise exception '${FENCED}' using errcode = '${FENCED_STATE}';`),
  ...STORED_TABLES.map(
    ({ name }) =>
      `create or replace trigger ${FENCE_NAME} before insert or update or delete or truncate on ${name} for each statement execute function ${FENCE_NAME}()`,
  ),
];

const noted = (table: TypedTable): readonly string[] => {
  const [changed, replaced] = [select(table, 'changed'), select(table, 'replaced')];
  const trigger = (write: string, rows: string, of: string): string =>
    `create or replace trigger ${notesOf(table.name, write)} after ${write} on ${table.name}
       referencing ${rows} for each statement execute function ${notesOf(table.name, of)}()`;
  return [
    functionOf(notesOf(table.name, 'insert'), note(changed)),
    functionOf(notesOf(table.name, 'update'), note(`${changed} union ${replaced}`)),
    trigger('insert', 'new table as changed', 'insert'),
    trigger('delete', 'old table as changed', 'insert'),
    trigger('update', 'new table as changed old table as replaced', 'update'),
  ];
};

/** Statements for each table that let every write be noted: once a statement, which costs writers least. */
export const takeNotes = (): readonly (readonly string[])[] => STORED_TABLES.map(noted);

/** Statements for each table that end both. The functions stay: without a trigger they do nothing. */
export const dropTriggers = (): readonly string[] =>
  STORED_TABLES.map(({ name }) =>
    [FENCE_NAME, ...['insert', 'update', 'delete'].map((write) => notesOf(name, write))]
      .map((trigger) => `drop trigger if exists ${trigger} on ${name}`)
      .join('; '),
  );

import type { Knex } from 'knex';
import { PARENTS_FIRST, TABLES } from '../../src/adapters/outbound/persistence/knex/tables.js';
import type { DatabaseName } from './selected-databases.js';

type Row = Readonly<Record<string, unknown>>;

// Which migrations ran is part of what a release leaves behind.
const KEYS: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ...PARENTS_FIRST.map((name) => [name, TABLES[name].key] as const),
  ['schema_migrations', ['id']],
  ['schema_migrations_lock', ['index']],
]);

const literal = (value: unknown): string => {
  if (value === null) return 'null';
  if (value instanceof Date) return literal(value.toISOString());
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value as number | boolean);
};

const insertionOf = (name: string, rows: readonly Row[]): readonly string[] => {
  const [first] = rows;
  if (first === undefined) return [];
  const columns = Object.keys(first);
  const values = rows.map((row) => `(${columns.map((column) => literal(row[column])).join(', ')})`);
  return [`insert into ${name} (${columns.map((column) => `"${column}"`).join(', ')}) values\n${values.join(',\n')}`];
};

const dumpRows = async (schema: Knex): Promise<readonly string[]> => {
  const insertions: string[] = [];
  for (const [name, key] of KEYS) {
    const rows = (await schema(name).orderBy([...key])) as Row[];
    insertions.push(...insertionOf(name, rows));
  }
  return insertions;
};

/** What a server is told to create from now on. It has no text of its own of that, as a file has. */
export const noteDefinitions = (schema: Knex): readonly string[] => {
  const noted: string[] = [];
  schema.on('query', ({ sql }: { readonly sql: string }) => {
    if (/^\s*(?:create|alter|drop)\b/i.test(sql)) noted.push(sql);
  });
  return noted;
};

/** Tables of a virtual table are made with it. */
const FILE_DEFINITIONS = `select sql from sqlite_master
  where sql is not null and name not like 'sqlite_%'
    and name not in (select name from pragma_table_list where type = 'shadow')
  order by case type when 'table' then 1 when 'index' then 2 else 3 end, rowid`;

const dumpFile = async (schema: Knex): Promise<readonly string[]> => {
  const definitions = (await schema.raw(FILE_DEFINITIONS)) as { readonly sql: string }[];
  const last = (await schema('sqlite_sequence').orderBy('name')) as Row[];
  return [
    ...definitions.map(({ sql }) => sql),
    ...(await dumpRows(schema)),
    'delete from sqlite_sequence',
    ...insertionOf('sqlite_sequence', last),
  ];
};

const dumpServer = async (schema: Knex, definitions: readonly string[]): Promise<readonly string[]> => {
  const { rows } = (await schema.raw(
    "select sequencename as name, last_value as last from pg_sequences where schemaname = 'public' and last_value is not null order by 1",
  )) as { rows: { readonly name: string; readonly last: string }[] };
  return [
    ...definitions,
    ...(await dumpRows(schema)),
    ...rows.map(({ name, last }) => `select setval('${name}', ${last})`),
  ];
};

/** A database as text that makes it again. @param definitions that a server was told. */
export const dumpDatabase = async (
  kind: DatabaseName,
  schema: Knex,
  definitions: readonly string[],
): Promise<string> => {
  const statements = kind === 'sqlite' ? await dumpFile(schema) : await dumpServer(schema, definitions);
  return `${statements.join(';\n\n')};\n`;
};

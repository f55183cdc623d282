import type { Knex } from 'knex';

/** One database's schema, by table: a line a column, index and foreign key. */
export interface TableReport {
  readonly columns: ReadonlyMap<string, string>;
  readonly indexes: readonly string[];
  readonly foreignKeys: readonly string[];
}

const BOOKKEEPING = /^(?:schema_migrations|sqlite_)/;

interface SqliteColumn {
  readonly name: string;
  readonly type: string;
  readonly notnull: number;
}

export const reportSqlite = async (knex: Knex): Promise<ReadonlyMap<string, TableReport>> => {
  const pragma = async <Row>(text: string): Promise<Row[]> => (await knex.raw(text)) as Row[];
  const tables = await pragma<{ name: string }>("select name from sqlite_master where type = 'table' order by name");
  const reports = new Map<string, TableReport>();
  for (const { name } of tables.filter((table) => !BOOKKEEPING.test(table.name))) {
    const columns = await pragma<SqliteColumn>(`pragma table_info(${name})`);
    const indexes = await pragma<{ name: string; unique: number }>(`pragma index_list(${name})`);
    const keys = await pragma<{ from: string; table: string; to: string; on_delete: string }>(
      `pragma foreign_key_list(${name})`,
    );
    const indexLines: string[] = [];
    for (const index of indexes.filter((each) => !BOOKKEEPING.test(each.name))) {
      const parts = await pragma<{ name: string }>(`pragma index_info(${index.name})`);
      indexLines.push(`${index.unique === 1 ? 'unique ' : ''}(${parts.map((part) => part.name).join(', ')})`);
    }
    reports.set(name, {
      columns: new Map(
        columns.map((column) => [column.name, `${column.type}${column.notnull === 1 ? ' not null' : ''}`]),
      ),
      indexes: indexLines.sort(),
      foreignKeys: keys
        .map((key) => `${key.from} → ${key.table}.${key.to}, on delete ${key.on_delete.toLowerCase()}`)
        .sort(),
    });
  }
  return reports;
};

export const reportPostgres = async (knex: Knex): Promise<ReadonlyMap<string, TableReport>> => {
  const rows = async <Row>(text: string, bindings: string[] = []): Promise<Row[]> =>
    ((await knex.raw(text, bindings)) as { rows: Row[] }).rows;
  const tables = await rows<{ name: string }>(
    'select tablename as name from pg_tables where schemaname = \'public\' order by tablename collate "C"',
  );
  const reports = new Map<string, TableReport>();
  for (const { name } of tables.filter((table) => !BOOKKEEPING.test(table.name))) {
    const columns = await rows<{ name: string; type: string; required: boolean }>(
      `select attname as name, format_type(atttypid, atttypmod) as type, attnotnull as required
       from pg_attribute where attrelid = ?::regclass and attnum > 0 and not attisdropped order by attnum`,
      [name],
    );
    const indexes = await rows<{ definition: string }>(
      "select indexdef as definition from pg_indexes where tablename = ? and indexname not like '%_pkey'",
      [name],
    );
    reports.set(name, {
      columns: new Map(
        columns.map(({ name: column, type, required }) => [column, `${type}${required ? ' not null' : ''}`]),
      ),
      indexes: indexes
        .map(
          ({ definition }) =>
            `${definition.includes('UNIQUE') ? 'unique ' : ''}${definition.slice(definition.indexOf('('))}`,
        )
        .sort(),
      foreignKeys: [],
    });
  }
  return reports;
};

/** The page that is committed, so that a review sees what a migration did. */
export const renderSchemaReport = (
  sqlite: ReadonlyMap<string, TableReport>,
  postgres: ReadonlyMap<string, TableReport>,
): string => {
  const sections = [...sqlite].map(([name, table]) => {
    const other = postgres.get(name);
    const rows = [...table.columns].map(
      ([column, type]) => `| \`${column}\` | ${type} | ${other?.columns.get(column) ?? '**missing**'} |`,
    );
    return [
      `## \`${name}\``,
      '',
      '| Column | SQLite | PostgreSQL |',
      '|---|---|---|',
      ...rows,
      '',
      ...table.indexes.map((index) => `- index ${index}`),
      ...table.foreignKeys.map((key) => `- ${key}`),
      '',
    ].join('\n');
  });
  return `# The schema\n\nMade from the migrations by \`make schema-report\`; don't edit it by hand.\n\n${sections.join('\n')}`;
};

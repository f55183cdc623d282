import type { Knex } from 'knex';
import { INDEXES_OF_TEXTS, TABLES } from '../../src/adapters/outbound/persistence/knex/tables.js';
import type { Pruning, Table } from '../../src/adapters/outbound/persistence/knex/tables/table.js';

export interface ColumnReport {
  readonly name: string;
  readonly type: string;
  readonly nullable: boolean;
  /** Whether it sorts by code point. */
  readonly byCodePoint: boolean;
}

/** What both databases must have alike, in words that do not depend on either. */
export interface TableReport {
  readonly columns: readonly ColumnReport[];
  /** The columns of the primary key, in its order. */
  readonly key: readonly string[];
  /** `unique (a, b desc) where …`, in the order of the alphabet. */
  readonly indexes: readonly string[];
  readonly foreignKeys: readonly string[];
}

export type SchemaReport = ReadonlyMap<string, TableReport>;

const CATALOGUE: Readonly<Record<string, Table | undefined>> = TABLES;

const BOOKKEEPING = new RegExp(`^(?:schema_migrations|sqlite_|${INDEXES_OF_TEXTS.join('|')})`);

/** A condition without what the databases write differently: parentheses, and a list of values as an array. */
const describeCondition = (condition: string): string =>
  condition
    .replaceAll(/[()]/g, '')
    .replaceAll(/= any array\[(.*?)\]/gi, 'in $1')
    .replaceAll(/,\s+/g, ',');

/**
 * Brings the two databases' ways to write one index definition together: quotes, casts, capital letters, the condition.
 */
const describeIndex = (definition: string): string => {
  const plain = definition.replaceAll(/[`"]/g, '').replaceAll(/::[a-z ]+/g, '');
  const [, unique = '', rest = ''] = /^create (unique )?index .*? on .*?(\(.*)$/is.exec(plain) ?? [];
  const [, list = '', condition] = /^(\(.*?\))(?: where (.*))?$/is.exec(rest) ?? [];
  const where = condition === undefined ? '' : ` where ${describeCondition(condition)}`;
  return `${unique}${list}${where}`.toLowerCase();
};

const describeForeignKey = (column: string, target: string, onDelete: string): string =>
  `${column} → ${target}, on delete ${onDelete.toLowerCase()}`;

export const reportSqlite = async (knex: Knex): Promise<SchemaReport> => {
  const rows = async <Row>(text: string, bindings: string[] = []): Promise<Row[]> =>
    (await knex.raw(text, bindings)) as Row[];
  const tables = await rows<{ name: string }>("select name from sqlite_master where type = 'table' order by name");
  const reports = new Map<string, TableReport>();
  for (const { name } of tables.filter((table) => !BOOKKEEPING.test(table.name))) {
    const columns = await rows<{ name: string; type: string; notnull: number; pk: number }>(
      `pragma table_info(${name})`,
    );
    const indexes = await rows<{ sql: string }>(
      "select sql from sqlite_master where type = 'index' and tbl_name = ? and sql is not null",
      [name],
    );
    const keys = await rows<{ from: string; table: string; to: string; on_delete: string }>(
      `pragma foreign_key_list(${name})`,
    );
    reports.set(name, {
      columns: columns.map((column) => ({
        name: column.name,
        type: column.type,
        nullable: column.notnull === 0,
        byCodePoint: true,
      })),
      key: columns
        .filter(({ pk }) => pk > 0)
        .sort((a, b) => a.pk - b.pk)
        .map((column) => column.name),
      indexes: indexes.map(({ sql }) => describeIndex(sql)).sort(),
      foreignKeys: keys.map((key) => describeForeignKey(key.from, `${key.table}.${key.to}`, key.on_delete)).sort(),
    });
  }
  return reports;
};

const FOREIGN_KEYS = `
  select source.attname as column, confrelid::regclass::text || '.' || target.attname as target,
         case confdeltype when 'c' then 'cascade' when 'n' then 'set null' when 'd' then 'set default'
                          when 'r' then 'restrict' else 'no action' end as rule
  from pg_constraint
  join pg_attribute source on source.attrelid = conrelid and source.attnum = conkey[1]
  join pg_attribute target on target.attrelid = confrelid and target.attnum = confkey[1]
  where contype = 'f' and conrelid = ?::regclass`;

const PRIMARY_KEY = `
  select attname as name from pg_constraint
  cross join unnest(conkey) with ordinality as part (number, place)
  join pg_attribute on attrelid = conrelid and attnum = part.number
  where contype = 'p' and conrelid = ?::regclass order by place`;

export const reportPostgres = async (knex: Knex): Promise<SchemaReport> => {
  const rows = async <Row>(text: string, bindings: string[] = []): Promise<Row[]> =>
    ((await knex.raw(text, bindings)) as { rows: Row[] }).rows;
  const tables = await rows<{ name: string }>(
    'select tablename as name from pg_tables where schemaname = \'public\' order by tablename collate "C"',
  );
  const reports = new Map<string, TableReport>();
  for (const { name } of tables.filter((table) => !BOOKKEEPING.test(table.name))) {
    const columns = await rows<{ name: string; type: string; required: boolean; collation: string | null }>(
      `select attname as name, format_type(atttypid, atttypmod) as type, attnotnull as required, collname as collation
       from pg_attribute left join pg_collation on pg_collation.oid = attcollation where attrelid = ?::regclass and attnum > 0 and not attisdropped order by attnum`,
      [name],
    );
    const indexes = await rows<{ definition: string }>(
      `select pg_get_indexdef(indexrelid) as definition from pg_index where indrelid = ?::regclass and not indisprimary`,
      [name],
    );
    const keys = await rows<{ column: string; target: string; rule: string }>(FOREIGN_KEYS, [name]);
    const primary = await rows<{ name: string }>(PRIMARY_KEY, [name]);
    reports.set(name, {
      columns: columns.map(({ name: column, type, required, collation }) => ({
        name: column,
        type,
        nullable: !required,
        byCodePoint: collation === 'C',
      })),
      key: primary.map((column) => column.name),
      indexes: indexes.map(({ definition }) => describeIndex(definition)).sort(),
      foreignKeys: keys.map(({ column, target, rule }) => describeForeignKey(column, target, rule)).sort(),
    });
  }
  return reports;
};

const renderPruning = (pruning: Pruning): string => {
  switch (pruning.kind) {
    case 'expired':
      return `removed ${pruning.keptMs === 0 ? '' : `${pruning.keptMs / 3_600_000} hours `}after \`expires_at\``;
    case 'ended':
      return `removed after \`${pruning.column}\`, by a job that tells others`;
    case 'retained':
      return `removed when \`${pruning.column}\` is older than what is kept`;
    case 'trimmed':
      return `only the latest of each \`${pruning.column}\` are kept`;
  }
};

const renderTable = (name: string, table: TableReport, other: TableReport | undefined): string => {
  const declared = CATALOGUE[name];
  return [
    `## \`${name}\``,
    '',
    [`Key (${table.key.join(', ')})`, declared?.size, ...(declared?.pruned.map(renderPruning) ?? [])].join('; '),
    '',
    '| Column | Holds | SQLite | PostgreSQL | May be absent |',
    '|---|---|---|---|---|',
    ...table.columns.map((column) => {
      const type = other?.columns.find(({ name: columnName }) => columnName === column.name)?.type ?? '**missing**';
      const logical = declared?.columns[column.name]?.type.replace('_', ' ') ?? '**missing**';
      return `| \`${column.name}\` | ${logical} | ${column.type} | ${type} | ${column.nullable ? 'yes' : ''} |`;
    }),
    '',
    ...table.indexes.map((index) => `- index ${index}`),
    ...table.foreignKeys.map((key) => `- ${key}`),
    '',
  ].join('\n');
};

const INTRODUCTION = `# The schema

Made from the migrations and the catalogue of tables (\`persistence/knex/tables.ts\`) by \`make schema-report\`; don't edit it by hand.
How many rows a table has: \`few\` is bounded by people and their settings, \`many\` grows with use, \`flood\` with each thing that happens.
Indexes of texts, which each database has in its own way, are not listed: ${INDEXES_OF_TEXTS.map((name) => `\`${name}\``).join(', ')}.
`;

/** The page that is committed, so that a review sees what a migration did. */
export const renderSchemaReport = (sqlite: SchemaReport, postgres: SchemaReport): string => {
  const sections = [...sqlite].map(([name, table]) => renderTable(name, table, postgres.get(name)));
  return `${INTRODUCTION}\n${sections.join('\n')}`;
};

/** How a statement gets its work done. */
export type Work = 'instant' | 'reads' | 'builds an index' | 'changes rows' | 'rewrites the table';

/** Who waits for it: readers and writers of the table, writers alone, or nobody. */
export type Waiting = 'everybody' | 'writers' | 'nobody';

export interface Change {
  readonly table: string;
  /** What is done to the table, as in "adds a column". */
  readonly what: string;
  readonly work: Work;
  readonly waiting: Waiting;
}

type Rule = readonly [pattern: RegExp, what: string, work: Work, waiting: Waiting];

const NAME = '([a-z_][a-z0-9_]*)';

/** What `alter table` does on PostgreSQL, a clause each; the first rule that fits says it. */
const POSTGRES_CLAUSES: readonly Rule[] = [
  [/^add column .*\breferences\b/, 'adds a column with a foreign key', 'reads', 'everybody'],
  [/^add column .*(serial|generated|default \w+\(|\bunique\b)/, 'adds a column', 'rewrites the table', 'everybody'],
  [/^add column/, 'adds a column', 'instant', 'everybody'],
  [/^add constraint .* not valid$/, 'adds a constraint', 'instant', 'everybody'],
  [/^add constraint .* (unique|primary key)\b/, 'adds a unique index', 'builds an index', 'everybody'],
  [/^add constraint/, 'adds a constraint', 'reads', 'everybody'],
  [/^add primary key/, 'adds a unique index', 'builds an index', 'everybody'],
  [/^validate constraint/, 'checks a constraint', 'reads', 'nobody'],
  [/^drop column/, 'drops a column', 'instant', 'everybody'],
  [/^drop constraint/, 'drops a constraint', 'instant', 'everybody'],
  [/^rename/, 'renames', 'instant', 'everybody'],
  [/^alter column \w+ set not null/, 'forbids empty values', 'reads', 'everybody'],
  [/^alter column \w+ (set data )?type/, 'changes the type of a column', 'rewrites the table', 'everybody'],
  [/^alter column \w+ (drop not null|set default|drop default)/, 'changes a column', 'instant', 'everybody'],
];

/** The same on SQLite, where one writes at a time and readers go on. */
const SQLITE_CLAUSES: readonly Rule[] = [
  [/^add (column )?.*\breferences\b/, 'adds a column with a foreign key', 'instant', 'writers'],
  [/^add (column )?/, 'adds a column', 'instant', 'writers'],
  [/^drop (column )?/, 'drops a column', 'rewrites the table', 'writers'],
  [/^rename/, 'renames', 'instant', 'writers'],
];

/** All other statements on a table. */
const STATEMENTS: readonly Rule[] = [
  [new RegExp(`^create (?:virtual )?table (?:if not exists )?${NAME}`), 'is created', 'instant', 'nobody'],
  [new RegExp(`^drop table (?:if exists )?${NAME}`), 'is dropped', 'instant', 'everybody'],
  [new RegExp(`^create unique index .*? on ${NAME}`), 'adds a unique index', 'builds an index', 'writers'],
  [new RegExp(`^create index concurrently .*? on ${NAME}`), 'adds an index', 'builds an index', 'nobody'],
  [new RegExp(`^create index .*? on ${NAME}`), 'adds an index', 'builds an index', 'writers'],
  [new RegExp(`^create (?:or replace )?(?:temp )?trigger .*? on ${NAME}`), 'adds a trigger', 'instant', 'writers'],
  [new RegExp(`^(?:with .* )?insert into \\w+ .*\\bselect\\b.*? from ${NAME}`), 'is copied', 'changes rows', 'nobody'],
  [new RegExp(`^insert into ${NAME}`), 'gets rows', 'instant', 'nobody'],
  [new RegExp(`^(?:with .* )?update ${NAME}`), 'changes rows', 'changes rows', 'writers'],
  [new RegExp(`^delete from ${NAME}`), 'removes rows', 'changes rows', 'writers'],
  [new RegExp(`^(?:with .* )?select .*? from \\(?(?:select .*? from )?${NAME}`), 'looks for rows', 'reads', 'nobody'],
];

/** Belongs to no table, or asks the database about itself. */
const OF_NO_TABLE =
  /^(begin|commit|rollback|savepoint|release|pragma|set |select set_config|select setval|select nextval|comment on|create (or replace )?function|drop function|drop trigger|alter index|(create|alter|drop) sequence|analyze|select .*\b(pg_\w+|information_schema|sqlite_\w+|to_regclass)\b)/;
const OWN_OF_DATABASE = /^(sqlite_|pg_|information_schema)/;

const plain = (sql: string): string =>
  sql.toLowerCase().replace(/[`"]/g, '').replace(/\s+/g, ' ').replace(/;$/, '').trim();

/** The clauses of an `alter table`: a comma within parentheses ends none. */
const clausesOf = (text: string): readonly string[] => text.split(/,(?![^(]*\))/).map((clause) => clause.trim());

const changeOf = (rules: readonly Rule[], table: string, text: string): Change => {
  const [, what, work, waiting] = rules.find(([pattern]) => pattern.test(text)) ?? [];
  if (what === undefined || work === undefined || waiting === undefined) return unknown(table, text);
  return { table, what, work, waiting };
};

/** The worst is said of what is not known. */
const unknown = (table: string, text: string): Change => ({
  table,
  what: `"${text.slice(0, 60)}"`,
  work: 'rewrites the table',
  waiting: 'everybody',
});

const alterations = (text: string, isFile: boolean): readonly Change[] => {
  const [, table = '', rest = ''] = new RegExp(`^alter table (?:if exists )?(?:only )?${NAME} (.*)$`).exec(text) ?? [];
  const rules = isFile ? SQLITE_CLAUSES : POSTGRES_CLAUSES;
  return clausesOf(rest).map((clause) => changeOf(rules, table, clause));
};

const changesOfStatement = (text: string, isFile: boolean): readonly Change[] => {
  if (text === '' || OF_NO_TABLE.test(text)) return [];
  if (text.startsWith('alter table')) return alterations(text, isFile);
  const [, dropped] = /^drop index (?:if exists )?(\S+)/.exec(text) ?? [];
  if (dropped !== undefined)
    return [{ table: dropped, what: 'an index that is dropped', work: 'instant', waiting: 'everybody' }];
  for (const [pattern, what, work, waiting] of STATEMENTS) {
    const table = pattern.exec(text)?.[1];
    if (table === undefined) continue;
    return OWN_OF_DATABASE.test(table) ? [] : [{ table, what, work, waiting }];
  }
  return [unknown('the database', text)];
};

/** A copy of a table that takes its name once the rows are there. */
const COPIED = /^insert into \w+ .*\bselect \* from /;
const NAMED = new RegExp(`^alter table ${NAME} rename to ${NAME}$`);

/** Tables that are written anew, by the names of the copies that replace them. */
const rebuiltTables = (statements: readonly string[]): ReadonlyMap<string, string> => {
  const created = new Set(statements.flatMap((text) => STATEMENTS[0]?.[0].exec(text)?.[1] ?? []));
  return new Map(
    statements.flatMap((text) => {
      const [, copy = '', table = ''] = NAMED.exec(text) ?? [];
      return created.has(copy) ? [[copy, table] as const] : [];
    }),
  );
};

const asRebuilding = (change: Change, text: string): Change =>
  COPIED.test(text) && change.what === 'is copied'
    ? { ...change, what: 'is written anew', work: 'rewrites the table', waiting: 'writers' }
    : change;

/** On SQLite whoever reads sees what was there before. */
const onFile = (change: Change): Change =>
  change.waiting === 'everybody' ? { ...change, waiting: 'writers' } : change;

/**
 * What the statements of a migration do to tables that were there before it.
 *
 * @param isFile on SQLite, else on PostgreSQL.
 */
export const changesOf = (statements: readonly string[], isFile: boolean): readonly Change[] => {
  const texts = statements.map(plain);
  const rebuilt = rebuiltTables(texts);
  const replaced = new Set(rebuilt.values());
  const created = new Set<string>();
  const isTold = ({ table, what }: Change): boolean => {
    if (rebuilt.has(table)) return false;
    if (what === 'is created') created.add(table);
    // What was just created holds nothing yet that could take long.
    else if (created.has(table)) return false;
    return !(what === 'is dropped' && replaced.has(table));
  };
  const changes = texts.flatMap((text) =>
    changesOfStatement(text, isFile)
      .map((change) => asRebuilding(change, text))
      .filter(isTold),
  );
  return isFile ? changes.map(onFile) : changes;
};

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import fc from 'fast-check';
import { openDatabase } from '../../src/adapters/outbound/persistence/knex/dialect/open-database.js';
import { openStorageEnd } from '../../src/adapters/outbound/persistence/knex/dialect/storage/open-storage-end.js';
import { MOVED_TABLES, TABLES, type INDEXES_OF_TEXTS } from '../../src/adapters/outbound/persistence/knex/tables.js';
import type { Column, LogicalType, Table } from '../../src/adapters/outbound/persistence/knex/tables/table.js';
import { STORED_TABLES } from '../../src/adapters/outbound/persistence/knex/storage/stored-tables.js';
import { gramsOf } from '../../src/adapters/outbound/persistence/knex/text-search.js';
import { createAesSecretBox } from '../../src/adapters/outbound/security/aes-secret-box.js';
import { startSha256 } from '../../src/adapters/outbound/security/sha256-digest.js';
import { MoveStorage, type Moved, type MoveParts, type MoveStep } from '../../src/application/storage/move-storage.js';
import type { StorageEnd } from '../../src/application/storage/ports/storage-end.js';
import type { StoredTable } from '../../src/application/storage/ports/stored-rows.js';
import { verifyStores, type Verification } from '../../src/application/storage/verify-stores.js';
import { SECRET_KEY } from './test-service.js';
import { systemClock } from '../../src/adapters/outbound/system/system-clock.js';
import { anyText } from './any-text.js';

type Value = string | null;
/** A row by the names of its columns, its values as text. */
type PlainRow = Readonly<Record<string, Value>>;

const NUMBERS: ReadonlySet<LogicalType> = new Set(['id', 'shared_id', 'reference', 'integer', 'big_integer']);
const catalogued: readonly (readonly [string, Table])[] = MOVED_TABLES.map((name) => [name, TABLES[name]]);

/** Texts that one encoding or another would break. */
const TEXTS = [
  '',
  '\\N',
  '\\.',
  '\\',
  '\t',
  '\r\n',
  'a\\tb',
  'Ωμέγα',
  '👩‍🔬',
  '\uFFFD',
  "'; --",
  '\u0001\u007f',
  '￿',
  'null',
  ' ',
];
export const hostileText = fc.oneof(
  fc.constantFrom(...TEXTS),
  anyText({ maxLength: 40 }).map((text) => text.replaceAll('\0', '')),
);
const YEAR_1 = Date.parse('0001-01-01T00:00:00.000Z');
const YEAR_9999 = Date.parse('9999-12-31T23:59:59.999Z');

const arbitraries: Readonly<Partial<Record<LogicalType, fc.Arbitrary<string>>>> = {
  integer: fc.integer().map(String),
  big_integer: fc.oneof(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), fc.constant(2n ** 63n - 1n)).map(String),
  boolean: fc.constantFrom('0', '1'),
  instant: fc
    .oneof(fc.integer({ min: YEAR_1, max: YEAR_9999 }), fc.constantFrom(YEAR_1, YEAR_9999))
    .map((time) => new Date(time).toISOString()),
};

/** What is unique keeps being so: rows have numbers, and what refers to a row refers to the one of the same number. */
const valueOf = ({ type, nullable, refersTo }: Column, table: string, row: number): fc.Arbitrary<Value> => {
  if (type === 'id' || type === 'shared_id') return fc.constant(String(row * 3));
  if (type === 'reference') {
    const own = refersTo?.table === table;
    return fc.constant(own ? (row === 1 ? null : String((row - 1) * 3)) : String(row * 3));
  }
  const value = arbitraries[type] ?? hostileText.map((text) => `${text}·${row}`);
  return nullable ? fc.option(value, { freq: 3 }) : value;
};

/** Of two columns exactly one has a value: the database checks it. */
const EITHER: Readonly<Record<string, readonly string[]>> = { snippets: ['project_id', 'owner_id'] };

/** Numbers that are unique, though they are no keys. */
const UNIQUE: Readonly<Record<string, string>> = { pipelines: 'bridge_id' };

const cellOf = (name: string, column: string, of: Column, row: number): fc.Arbitrary<Value> => {
  if (UNIQUE[name] === column) return fc.option(fc.constant(String(row * 3)), { freq: 3 });
  const either = EITHER[name]?.indexOf(column) ?? -1;
  return either < 0 ? valueOf(of, name, row) : fc.constant(row % 2 === either ? String(row * 3) : null);
};

type PlainTables = ReadonlyMap<string, readonly PlainRow[]>;

const anyRows = (count: number): fc.Arbitrary<PlainTables> =>
  fc
    .tuple(
      ...catalogued.map(([name, { columns, key }]) =>
        fc.tuple(
          ...Array.from({ length: count }, (_, index) =>
            fc.record(
              Object.fromEntries(
                Object.entries(columns).map(([column, of]) => [
                  column,
                  key.includes(column) && of.type === 'big_integer'
                    ? fc.constant(String(index - 2))
                    : cellOf(name, column, of, index + 1),
                ]),
              ),
            ),
          ),
        ),
      ),
    )
    .map((tables) => new Map(catalogued.map(([name], index) => [name, tables[index] ?? []])));

/** Rows of every table, by the name of the table. A seed says which, since so many rows say nothing when a test shows them. */
export const hostileRows = (count: number, seed: number): PlainTables =>
  fc.sample(anyRows(count), { numRuns: 1, seed })[0] ?? new Map();

export const onDatabase = async <Result>(
  url: string,
  work: (database: ReturnType<typeof openDatabase>) => Promise<Result>,
): Promise<Result> => {
  const database = openDatabase({ url, poolMax: 2 });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
};

export const plant = (url: string, tables: ReadonlyMap<string, readonly PlainRow[]>): Promise<void> =>
  onDatabase(url, async ({ schema }) => {
    const typeOf = (name: string, column: string) =>
      (TABLES as Readonly<Record<string, Table>>)[name]?.columns[column]?.type;
    await schema.transaction(async (transaction) => {
      for (const [name, rows] of tables)
        await transaction(name).insert(
          rows.map((row) =>
            Object.fromEntries(
              Object.entries(row).map(([column, value]) => [
                column,
                typeOf(name, column) === 'boolean' && value !== null ? value === '1' : value,
              ]),
            ),
          ),
        );
    });
  });

const plain = (type: LogicalType | undefined, value: unknown): Value => {
  if (value === null) return null;
  if (type === 'boolean') return String(Number(value));
  return type === 'instant' ? new Date(value as string | Date).toISOString() : String(value as string);
};

/** By the text of each row, those that the index of its texts finds. */
const foundByTexts = async (
  { reader, schema }: ReturnType<typeof openDatabase>,
  table: string,
  index: (typeof INDEXES_OF_TEXTS)[number],
): Promise<readonly PlainRow[]> => {
  const texts: string[] = await schema(table).orderBy('id').pluck('search_key');
  const found: PlainRow[] = [];
  for (const text of texts.filter((each) => gramsOf(each).length > 0)) {
    const bindings = [reader.dialect.writeGrams(gramsOf(text)), 100];
    const rows = await reader.run<{ id: number }>(reader.dialect.idsByGrams(index), bindings);
    found.push({ text, ids: String(rows.map(({ id }) => id).sort((one, other) => one - other)) });
  }
  return found;
};

/** Of the catalogue, these tables and all that their rows refer to. */
export const withThoseReferredTo = (names: readonly string[]): readonly StoredTable[] => {
  const found = new Set<string>();
  const find = (name: string): void => {
    if (found.has(name)) return;
    found.add(name);
    const { columns } = (TABLES as Readonly<Record<string, Table>>)[name]!;
    for (const { refersTo } of Object.values(columns)) if (refersTo !== undefined) find(refersTo.table);
  };
  names.forEach(find);
  return STORED_TABLES.filter(({ name }) => found.has(name));
};

/** Every row as it was planted, read by the drivers alone, and what is found by texts. */
export const readAll = (
  url: string,
  of: readonly StoredTable[] = STORED_TABLES,
): Promise<ReadonlyMap<string, readonly PlainRow[]>> =>
  onDatabase(url, async (database) => {
    const { schema } = database;
    const tables = new Map<string, readonly PlainRow[]>();
    const asked = new Set<string>(of.map(({ name }) => name));
    for (const [name, { columns, key }] of catalogued.filter(([name]) => asked.has(name))) {
      const selected = Object.entries(columns).map(([column, { type }]) =>
        NUMBERS.has(type) ? schema.raw('cast(?? as text) as ??', [column, column]) : column,
      );
      const rows = (await schema(name)
        .select(selected)
        .orderBy([...key])) as Record<string, unknown>[];
      const asText = rows.map((row) =>
        Object.fromEntries(Object.entries(row).map(([column, value]) => [column, plain(columns[column]?.type, value)])),
      );
      const place = (row: PlainRow): string => key.map((column) => row[column]).join(' ');
      tables.set(
        name,
        asText.sort((a, b) => (place(a) < place(b) ? -1 : 1)),
      );
    }
    tables.set('issue_search', await foundByTexts(database, 'issues', 'issue_search'));
    tables.set('merge_request_search', await foundByTexts(database, 'merge_requests', 'merge_request_search'));
    return tables;
  });

/** Two ends, closed afterwards. */
export const withEnds = async <Result>(
  [from, to]: readonly [string, string],
  work: (source: StorageEnd, target: StorageEnd) => Promise<Result>,
): Promise<Result> => {
  const [source, target] = [await openStorageEnd(from), await openStorageEnd(to)];
  try {
    return await work(source, target);
  } finally {
    await source.close();
    await target.close();
  }
};

export interface MoverOptions extends Partial<Pick<MoveParts, 'tables' | 'clock' | 'pause' | 'spare'>> {
  readonly report?: (step: MoveStep) => void;
  readonly sealedSuccessor?: string;
  readonly hold?: boolean;
  readonly mend?: boolean;
}

export const mover = (
  source: StorageEnd,
  target: StorageEnd,
  { report = () => undefined, sealedSuccessor = '', hold = false, mend = false, ...beside }: MoverOptions = {},
) =>
  new MoveStorage(source, target, {
    tables: STORED_TABLES,
    clock: systemClock,
    startDigest: startSha256,
    newName: () => randomUUID(),
    pause: (ms) => sleep(ms),
    // Nobody rests: those who try that say otherwise.
    spare: () => 2,
    sealedSuccessor,
    hold,
    mend,
    report,
    ...beside,
  });

/** The address of a database as the one that is left for it keeps it. */
export const sealed = (url: string): string => createAesSecretBox(SECRET_KEY, 'stored secrets').seal(url);

export const move = (from: string, to: string, options: MoverOptions = {}): Promise<Moved> =>
  withEnds([from, to], (source, target) =>
    mover(source, target, { sealedSuccessor: sealed(to), ...options }).execute(),
  );

export const compare = (
  one: string,
  other: string,
  tables: readonly StoredTable[] = STORED_TABLES,
): Promise<Verification> =>
  withEnds([one, other], (source, target) =>
    source.snapshot((here) => target.snapshot((there) => verifyStores(tables, here, there, startSha256))),
  );

const ROWS = 4;

/** Moves rows by chance from one database to another, and from there back to one of the first kind: each must be as it was. */
export const goThereAndBack = (
  openSource: () => Promise<string>,
  openTarget: () => Promise<string>,
  { times }: { readonly times: number },
): Promise<void> =>
  fc.assert(
    fc.asyncProperty(fc.integer(), async (seed) => {
      const [source, target, back] = [await openSource(), await openTarget(), await openSource()];
      await plant(source, hostileRows(ROWS, seed));
      const before = await readAll(source);
      const { verification } = await move(source, target);
      expect(verification?.equal).toBe(true);
      expect(await readAll(target)).toEqual(before);
      expect(await readAll(source)).toEqual(before);
      await move(target, back);
      expect(await readAll(back)).toEqual(before);
      expect((await compare(source, back)).equal).toBe(true);
    }),
    { numRuns: times, endOnFailure: true },
  );

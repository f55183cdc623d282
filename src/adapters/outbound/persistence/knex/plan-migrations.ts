import type { Database } from './database.js';
import { recordMigrations, type Migrations } from './dialect/migrating/record-migrations.js';
import { changesOf, type Change, type Waiting, type Work } from './dialect/migrating/changes-of.js';

/** What one migration does to one table. */
export interface PlannedTable {
  readonly table: string;
  readonly rows: number;
  /** Each with how often. */
  readonly changes: readonly (readonly [what: string, times: number])[];
  readonly work: Work;
  readonly waiting: Waiting;
  readonly seconds: number;
}

export interface PlannedMigration {
  readonly name: string;
  readonly tables: readonly PlannedTable[];
  /** How long its locks are held: to its end. */
  readonly seconds: number;
  /** False where it does more than can be told without running it. */
  readonly whole: boolean;
}

/** Rows a second, as a small machine gets through them. */
const PACE: Readonly<Record<Exclude<Work, 'instant'>, number>> = {
  reads: 1_500_000,
  'builds an index': 400_000,
  'rewrites the table': 150_000,
  'changes rows': 20_000,
};
const WORK: readonly Work[] = ['instant', 'reads', 'builds an index', 'changes rows', 'rewrites the table'];
const WAITING: readonly Waiting[] = ['nobody', 'writers', 'everybody'];

type CountRows = (table: string) => Promise<number>;

/** Without reading a table of PostgreSQL: its planner has a notion of how many there are. */
const rowCounter = ({ schema, inThisThread }: Database): CountRows => {
  const count = async (table: string): Promise<number> => {
    if (!(await schema.schema.hasTable(table))) return 0;
    if (inThisThread !== undefined) {
      const [row] = (await schema(table).count({ rows: '*' })) as { rows: number }[];
      return row?.rows ?? 0;
    }
    const { rows } = (await schema.raw('explain (format json) select 1 from ??', [table])) as {
      rows: { 'QUERY PLAN': { Plan: { 'Plan Rows': number } }[] }[];
    };
    return rows[0]?.['QUERY PLAN'][0]?.Plan['Plan Rows'] ?? 0;
  };
  const known = new Map<string, Promise<number>>();
  return (table) => {
    const counted = known.get(table) ?? count(table);
    known.set(table, counted);
    return counted;
  };
};

const secondsOf = ({ work }: Change, rows: number): number => (work === 'instant' ? 0 : rows / PACE[work]);

const worst = <Value>(scale: readonly Value[], values: readonly Value[]): Value =>
  scale[Math.max(0, ...values.map((value) => scale.indexOf(value)))] as Value;

const planTable = (table: string, changes: readonly Change[], rows: number): PlannedTable => {
  const times = new Map<string, number>();
  for (const { what } of changes) times.set(what, (times.get(what) ?? 0) + 1);
  return {
    table,
    rows,
    changes: [...times],
    work: worst(
      WORK,
      changes.map(({ work }) => work),
    ),
    waiting: worst(
      WAITING,
      changes.map(({ waiting }) => waiting),
    ),
    seconds: changes.reduce((sum, change) => sum + secondsOf(change, rows), 0),
  };
};

/** What is pending would do to a database, and for how long others would wait. Nothing is written, and nothing is locked. */
export const planMigrations = async (
  database: Database,
  migrations: Migrations,
): Promise<readonly PlannedMigration[]> => {
  const isFile = database.inThisThread !== undefined;
  const countRows = rowCounter(database);
  const planned: PlannedMigration[] = [];
  for (const { name, statements, whole } of await recordMigrations(isFile, migrations)) {
    const changes = changesOf(statements, isFile);
    const tables: PlannedTable[] = [];
    for (const table of new Set(changes.map((change) => change.table)))
      tables.push(
        planTable(
          table,
          changes.filter((change) => change.table === table),
          await countRows(table),
        ),
      );
    planned.push({ name, tables, seconds: tables.reduce((sum, { seconds }) => sum + seconds, 0), whole });
  }
  return planned;
};

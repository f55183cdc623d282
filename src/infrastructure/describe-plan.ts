import type { PlannedMigration, PlannedTable } from '../adapters/outbound/persistence/knex/plan-migrations.js';

/** Less is not worth telling apart. */
const SHORT_S = 0.1;

const inSeconds = (seconds: number): string =>
  seconds < SHORT_S ? 'less than 0.1 s' : `some ${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;

const describeWork = ({ work, rows, seconds }: PlannedTable): string => {
  if (work === 'instant' || rows === 0) return 'instant';
  return work === 'rewrites the table' ? `rewrites the table, ${inSeconds(seconds)}` : inSeconds(seconds);
};

const WAITING: Readonly<Record<PlannedTable['waiting'], string>> = {
  everybody: '; readers and writers wait',
  writers: '; writers wait',
  nobody: '',
};

const describeTable = (planned: PlannedTable): string => {
  const { table, rows, changes, waiting } = planned;
  const what = changes.map(([change, times]) => (times === 1 ? change : `${change} (${times} times)`)).join(', ');
  const size = rows === 0 ? '' : ` (${rows} ${rows === 1 ? 'row' : 'rows'})`;
  return `  ${table}${size}: ${what}: ${describeWork(planned)}${WAITING[waiting]}`;
};

const describeMigration = ({ name, tables, seconds, whole }: PlannedMigration): readonly string[] => [
  `${name}: ${seconds < SHORT_S ? 'instant' : inSeconds(seconds)}`,
  ...tables.map(describeTable),
  ...(whole ? [] : ['  and more, which depends on the rows that it finds']),
];

/** What `gatehouse migrate --plan` prints. */
export const describePlan = (planned: readonly PlannedMigration[]): readonly string[] => {
  if (planned.length === 0) return ['Nothing to do.'];
  const seconds = planned.reduce((sum, migration) => sum + migration.seconds, 0);
  const migrations = planned.length === 1 ? '1 migration' : `${planned.length} migrations`;
  return [...planned.flatMap(describeMigration), `${migrations}, ${inSeconds(seconds)} in all. Nothing was changed.`];
};

export type DatabaseName = 'sqlite' | 'postgres';

const ALL: readonly DatabaseName[] = ['sqlite', 'postgres'];

/** The databases that this run tests: both, unless `GATEHOUSE_TEST_DATABASES` names fewer. */
export const selectedDatabases = (): readonly DatabaseName[] => {
  const names = process.env['GATEHOUSE_TEST_DATABASES']?.split(',') ?? ALL;
  const selected = ALL.filter((name) => names.includes(name));
  if (selected.length === 0) throw new Error('GATEHOUSE_TEST_DATABASES names no database: sqlite, postgres or both.');
  return selected;
};

/** Tests of what stands above the ports, whose statements `tests/contract` holds to both databases. */
const ABOVE_THE_PORTS =
  /\/tests\/(?:http\/|browser\/|acceptance\/(?:git-over-|rows-of-|[a-z-]+-clients|alertmanager|scheduled-backups|secrets-stay))/;

/** Whether whoever waits for the tests is spared those above the ports on a second database, which CI runs unless its machine is slow. */
export const sparesSecondDatabase = (): boolean =>
  (process.env['CI'] !== 'true' || process.env['GATEHOUSE_TEST_SPARING'] === 'true') &&
  process.env['GATEHOUSE_TEST_DATABASES'] === undefined;

/** The databases of this run that a test file is tried on. */
export const databasesOf = (testPath: string): readonly DatabaseName[] =>
  sparesSecondDatabase() && ABOVE_THE_PORTS.test(testPath) ? ALL.slice(0, 1) : selectedDatabases();

/** Each database of this run as source and as target: for what a pair has no part in, once all pairs were held against each other. */
export const crossedPairs = (): readonly (readonly [from: DatabaseName, to: DatabaseName])[] => {
  const [one = 'sqlite', other = one] = selectedDatabases();
  if (one === other) return [[one, one]];
  return [
    [one, other],
    [other, one],
  ];
};

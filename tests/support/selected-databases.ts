export type DatabaseName = 'sqlite' | 'postgres';

const ALL: readonly DatabaseName[] = ['sqlite', 'postgres'];

/** The databases that this run tests: both, unless `GATEHOUSE_TEST_DATABASES` names fewer. */
export const selectedDatabases = (): readonly DatabaseName[] => {
  const names = process.env['GATEHOUSE_TEST_DATABASES']?.split(',') ?? ALL;
  const selected = ALL.filter((name) => names.includes(name));
  if (selected.length === 0) throw new Error('GATEHOUSE_TEST_DATABASES names no database: sqlite, postgres or both.');
  return selected;
};

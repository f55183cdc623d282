import type { Session } from './session.js';
import { TABLES_OF_FILES } from './tables.js';

/** Which of these files no row of any table names; none where there never was such a row, as in a database that has nothing to do with them. */
export const unnamedFiles = async (session: Session, fileKeys: readonly string[]): Promise<readonly string[]> => {
  if (!(await hadFiles(session))) return [];
  const named = new Set<string>();
  for (const table of TABLES_OF_FILES) {
    const rows = await session
      .query(table)
      .whereIn('file_key', [...fileKeys])
      .select('file_key');
    for (const { file_key: key } of rows) named.add(key);
  }
  return fileKeys.filter((key) => !named.has(key));
};

const hadFiles = async (session: Session): Promise<boolean> => {
  for (const table of TABLES_OF_FILES) {
    const [last] = await session.run<{ number: unknown }>(session.dialect.lastNumber(table), []);
    if (Number(last?.number ?? 0) > 0) return true;
  }
  return false;
};

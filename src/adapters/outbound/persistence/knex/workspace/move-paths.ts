import type { Session } from '../session.js';
import { searchKey } from '../text-search.js';

/** Everything below a path that has changed follows: groups and projects alike. */
export const movePaths = async (session: Session, from: string, to: string): Promise<void> => {
  const prefix = `${searchKey(from)}/`;
  for (const table of ['namespaces', 'projects']) {
    // Half-open: every key that begins with the prefix sorts from it up to the prefix with its "/" raised to "0".
    await session
      .query(table)
      .where('full_path_key', '>=', prefix)
      .andWhere('full_path_key', '<', `${searchKey(from)}0`)
      .update({
        full_path: session.query.raw('? || substr(full_path, ?)', [to, from.length + 1]),
        full_path_key: session.query.raw('? || substr(full_path_key, ?)', [searchKey(to), from.length + 1]),
      });
  }
};

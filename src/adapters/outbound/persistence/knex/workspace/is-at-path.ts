import type { Session } from '../session.js';

/**
 * Whether something of the other kind is at a path: each kind has an index of its own, which knows nothing of it. Whoever asks holds the tree
 * that the path is in.
 */
export const isAtPath = async (
  { query }: Session,
  kind: 'projects' | 'namespaces',
  full_path_key: string,
): Promise<boolean> => (await query(kind).where({ full_path_key }).first('id')) !== undefined;

import type { NamespaceId, ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { Session } from '../session.js';
import { searchKey } from '../text-search.js';

/** What was at a path: a group or an account with all below it, or a project. */
type Owner = { readonly namespace_id: NamespaceId } | { readonly project_id: ProjectId };

/** Of each: older paths lead nowhere. */
const KEPT = 50;

/**
 * Call it once something is at a path: whatever was there before, and below it, is not found there any more. It comes after the write
 * that took the path, so that it sees what left it meanwhile.
 */
export const claimPath = async (session: Session, path: string): Promise<void> => {
  const key = searchKey(path);
  await session
    .query('former_paths')
    .where({ path_key: key })
    .orWhere((below) => void below.where('path_key', '>=', `${key}/`).andWhere('path_key', '<', `${key}0`))
    .delete();
};

/** Call it once something is at its new path: it is still found at the one before. */
export const keepFormerPath = async (session: Session, before: string, now: string, owner: Owner): Promise<void> => {
  const path_key = searchKey(before);
  if (path_key === searchKey(now)) return;
  await claimPath(session, now);
  const formerPaths = () => session.query('former_paths');
  await formerPaths().where({ path_key }).delete();
  await formerPaths().insert({ path_key, ...owner });
  const oldest = await formerPaths().where(owner).orderBy('id', 'desc').offset(KEPT).first('id');
  if (oldest !== undefined) await formerPaths().where(owner).andWhere('id', '<=', oldest.id).delete();
};

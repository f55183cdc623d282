import type { ProjectId, UserId } from '../../../../../domain/shared/identifiers.js';
import type { Session } from '../session.js';
import { levelsIn } from './levels.js';

/**
 * Those of some people whom something of a project may be given to: everybody where everybody may see it, and in a private project who has
 * at least a level in it, and administrators.
 */
export const choosablePeople = async (
  { query }: Session,
  projectId: ProjectId,
  userIds: readonly UserId[],
  { today, least }: { readonly today: string; readonly least: number },
): Promise<readonly UserId[]> => {
  const project = await query('projects').where({ id: projectId }).first('namespace_id', 'visibility');
  if (project === undefined) return [];
  const people = query('users').whereIn('id', [...userIds]);
  if (project.visibility === 'private') {
    const levels = levelsIn(query, { id: projectId, namespaceId: project.namespace_id }, { today, of: userIds });
    void people.where((seeing) => {
      void seeing.where('admin', true);
      for (const members of levels)
        void seeing.orWhereIn('id', query.from(members.as('m')).where('level', '>=', least).select('user_id'));
    });
  }
  return (await people.select('id')).map(({ id }) => id);
};

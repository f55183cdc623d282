import type { ProjectId, UserId } from '../../../../../domain/shared/identifiers.js';
import type { Session } from '../session.js';
import { ACCESS_LEVEL } from '../../../../../domain/shared/access-level.js';
import { decideInProject, PROJECT_PERMISSIONS } from '../../../../../domain/workspace/workspace-policy.js';
import { FEATURE_COLUMNS, toFeatures } from '../workspace/workspace-rows.js';
import { levelsIn } from './levels.js';

const SOMEBODY = { signedIn: true, admin: false };

/**
 * Those of some people whom something of a project may be given to: everybody where everybody may read it, and in a private project, or
 * where it is kept to members, who has the level that reads it, and administrators.
 */
export const choosablePeople = async (
  { query }: Session,
  projectId: ProjectId,
  userIds: readonly UserId[],
  { today, permission }: { readonly today: string; readonly permission: 'read_issues' | 'read_merge_requests' },
): Promise<readonly UserId[]> => {
  const project = await query('projects')
    .where({ id: projectId })
    .first('namespace_id', 'visibility', ...FEATURE_COLUMNS);
  if (project === undefined) return [];
  const judged = { visibility: project.visibility, features: toFeatures(project) };
  const people = query('users').whereIn('id', [...userIds]);
  if (decideInProject(SOMEBODY, judged, ACCESS_LEVEL.none, permission) !== 'granted') {
    const levels = levelsIn(query, { id: projectId, namespaceId: project.namespace_id }, { today, of: userIds });
    void people.where((seeing) => {
      void seeing.where('admin', true);
      for (const members of levels)
        void seeing.orWhereIn(
          'id',
          query.from(members.as('m')).where('level', '>=', PROJECT_PERMISSIONS[permission]).select('user_id'),
        );
    });
  }
  return (await people.select('id')).map(({ id }) => id);
};

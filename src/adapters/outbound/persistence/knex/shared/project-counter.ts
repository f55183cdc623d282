import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { Session } from '../session.js';

/**
 * The next number of a kind within a project. Whoever takes one holds the counter until his transaction ends, so that numbers
 * have no gaps and no doubles: take it last.
 */
export const nextNumber = async (
  { query }: Session,
  projectId: ProjectId,
  kind: 'issue' | 'alert' | 'milestone',
): Promise<number> => {
  const [row] = (await query('project_counters')
    .insert({ project_id: projectId, kind, last_number: 1 })
    .onConflict(['project_id', 'kind'])
    .merge({ last_number: query.raw('project_counters.last_number + 1') })
    .returning('last_number')) as { last_number: number }[];
  return Number(row!.last_number);
};

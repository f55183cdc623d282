import { Invalid } from '../../../domain/shared/domain-error.js';
import type { ProjectId } from '../../../domain/shared/identifiers.js';
import type { MilestoneRepository } from '../ports/planning-repositories.js';

interface Planned {
  readonly milestoneId?: number | null;
}

/**
 * Keeps a milestone that something is planned for from being removed meanwhile.
 *
 * @param planned the id that everybody knows it by, if any. @returns the same with what issues and merge requests of the project refer to it by.
 * @throws Invalid at `milestone_id` when neither the project nor a group above it has such a milestone.
 */
export const holdMilestone = async (
  { milestones }: { readonly milestones: MilestoneRepository },
  projectId: ProjectId,
  { milestoneId }: Planned,
): Promise<Planned> => {
  if (milestoneId === undefined) return {};
  if (milestoneId === null) return { milestoneId };
  const used = await milestones.use(projectId, milestoneId);
  if (used === undefined) throw new Invalid({ milestone_id: ['is none of this project'] });
  return { milestoneId: used };
};

import type { PlanningOverview } from '../../../../application/planning/ports/planning-overview.js';
import type { ProjectId } from '../../../../domain/shared/identifiers.js';

/** The colors of labels, by name. */
export const chipsOf = async (
  overview: Pick<PlanningOverview, 'labelsNamed'>,
  projectId: ProjectId,
  names: Iterable<string>,
): Promise<ReadonlyMap<string, string>> => {
  const labels = await overview.labelsNamed(projectId, [...new Set(names)]);
  return new Map(labels.map(({ name, color }) => [name, color]));
};

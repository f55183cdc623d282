import type { PlanningOverview } from '../../../../../application/planning/ports/planning-overview.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';

/** The colors of the labels that an issue or a merge request has, by name. */
export const chipsOf = async (
  overview: Pick<PlanningOverview, 'labelsNamed'>,
  { projectId, labels: names }: { readonly projectId: ProjectId; readonly labels: readonly string[] },
): Promise<ReadonlyMap<string, string>> => {
  const labels = await overview.labelsNamed(projectId, names);
  return new Map(labels.map(({ name, color }) => [name, color]));
};

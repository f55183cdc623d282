import type { PlanningOverview } from '../../../../application/planning/ports/planning-overview.js';
import type { ProjectId } from '../../../../domain/shared/identifiers.js';

/** The colors of the labels that these have, by name. */
export const chipsOf = async (
  overview: Pick<PlanningOverview, 'labelsNamed'>,
  projectId: ProjectId,
  labelled: readonly { readonly labels: readonly string[] }[],
): Promise<ReadonlyMap<string, string>> => {
  const labels = await overview.labelsNamed(projectId, [...new Set(labelled.flatMap(({ labels }) => labels))]);
  return new Map(labels.map(({ name, color }) => [name, color]));
};

import type { ProjectId } from '../../../domain/shared/identifiers.js';

export interface RelatedProjects {
  /** Whether one project is a fork of the other, or both are of a third, whoever asks. */
  areRelated(one: ProjectId, other: ProjectId): Promise<boolean>;
}

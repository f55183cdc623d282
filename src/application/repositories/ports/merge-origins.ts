import type { ObjectId } from '../../../domain/repositories/object-id.js';
import type { ProjectId } from '../../../domain/shared/identifiers.js';

/** Where merge commits come from. */
export interface MergeOrigins {
  /** What people of a project call the merge request that a commit merged, as `!3`; undefined for any other commit. */
  referenceOf(projectId: ProjectId, commit: ObjectId): Promise<string | undefined>;
}

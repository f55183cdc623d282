import type { RefChanger } from '../../../domain/repositories/protected-ref.js';
import type { ProjectId, UserId } from '../../../domain/shared/identifiers.js';

export interface RefChangers {
  /** What somebody may do in a project; nothing once they may not sign in any more. `today` is the UTC day, for memberships that end. */
  find(userId: UserId, projectId: ProjectId, today: string): Promise<RefChanger>;
}

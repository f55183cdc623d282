import type { MovableIssue } from '../../../../../application/planning/issue-moves.js';
import type { VisibleIssue } from '../../../../../application/planning/visible-issue.js';
import type { Actor } from '../../../../../application/shared/actor.js';
import type { Permitted } from '../../../../../application/shared/permitted.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import { Forbidden, NotPossible } from '../../../../../domain/shared/domain-error.js';

type Verb = 'move' | 'clone';

/**
 * A project that somebody takes issues out of, or to.
 *
 * @throws NotFound "Project" where they don't see it; NotPossible, in words that clients know, where they may not.
 */
export const permittedToMove = async (
  access: WorkspaceAccess,
  actor: Actor,
  project: string,
  verb: Verb,
): Promise<Permitted<'move_issues'>> => {
  try {
    return await access.project(actor, project, 'move_issues');
  } catch (error) {
    throw error instanceof Forbidden ? new NotPossible(`Cannot ${verb} issue due to insufficient permissions!`) : error;
  }
};

/** An issue that somebody takes along. @throws NotPossible where they may not. */
export const findMovable = async (
  access: WorkspaceAccess,
  actor: Actor,
  found: VisibleIssue,
  verb: Verb,
): Promise<MovableIssue> => ({
  ...found,
  moving: await permittedToMove(access, actor, String(found.issue.projectId), verb),
});

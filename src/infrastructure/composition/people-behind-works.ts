import type { UserReader } from '../../application/identity/ports/identity-readers.js';
import type { UserActor } from '../../application/shared/actor.js';
import type { PermittedProject } from '../../application/shared/permitted.js';
import type { WorkspaceAccess } from '../../application/workspace/workspace-access.js';
import { Forbidden, NotFound } from '../../domain/shared/domain-error.js';
import type { ProjectId, UserId } from '../../domain/shared/identifiers.js';
import type { ProjectPermission } from '../../domain/workspace/workspace-policy.js';

/** Somebody who isn't asking, with the rights that they have now; undefined for who may not sign in any more. */
export const actorBy =
  (users: UserReader) =>
  async (id: UserId): Promise<UserActor | undefined> => {
    const user = await users.find(id);
    if (user?.state !== 'active') return undefined;
    const bot = user.bot === null ? {} : { bot: true as const };
    return { kind: 'user', id, username: user.username, admin: user.admin, credential: { kind: 'session' }, ...bot };
  };

/** A project for somebody who isn't asking, as things stand; undefined where they may not do this there. */
export const letInNow =
  (access: Pick<WorkspaceAccess, 'project'>, activeActor: ReturnType<typeof actorBy>) =>
  async <P extends ProjectPermission>(
    userId: UserId,
    projectId: ProjectId,
    permission: P,
  ): Promise<PermittedProject<P> | undefined> => {
    const actor = await activeActor(userId);
    if (actor === undefined) return undefined;
    try {
      return await access.project(actor, String(projectId), permission);
    } catch (error) {
      if (error instanceof NotFound || error instanceof Forbidden) return undefined;
      throw error;
    }
  };

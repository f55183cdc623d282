import { branchRights, type RefChanger } from '../../domain/repositories/protected-ref.js';
import { Forbidden, NotFound } from '../../domain/shared/domain-error.js';
import type { ProjectId } from '../../domain/shared/identifiers.js';
import type { Project } from '../../domain/workspace/namespace.js';
import type { ProtectedRefRepository } from '../repositories/ports/repository-repositories.js';
import type { Actor, UserActor } from '../shared/actor.js';
import type { WorkspaceAccess } from '../workspace/workspace-access.js';
import type { MergeRequestDetails, MergeRequestReader } from './ports/merge-request-ports.js';

interface Parts {
  readonly reader: MergeRequestReader;
  readonly access: WorkspaceAccess;
  readonly protections: Pick<ProtectedRefRepository, 'branchesOf'>;
}

/** What merge requests say of the branches that people push to. */
export class PushedBranches {
  constructor(private readonly parts: Parts) {}

  /** The newest open merge request of a branch, as far as the viewer sees one. */
  async openOf(viewer: Actor, projectId: ProjectId, branch: string): Promise<MergeRequestDetails | undefined> {
    const { batches } = await this.parts.reader.list({
      viewer: this.parts.access.viewer(viewer),
      sourceProjectId: projectId,
      sourceBranch: branch,
      state: 'opened',
      orderBy: 'created_at',
      sort: 'desc',
      page: { page: 1, perPage: 1 },
    });
    for await (const [first] of batches) return first;
    return undefined;
  }

  /**
   * The branches of a fork that somebody may push to because they may merge them elsewhere: as long as a merge request is open whose author
   * allows it, both projects can be seen without membership, and the branch isn't protected.
   */
  async invitedTo(actor: UserActor, { id, visibility }: Project): Promise<ReadonlySet<string>> {
    const invited = new Set<string>();
    if (visibility === 'private') return invited;
    const rules = await this.parts.protections.branchesOf(id);
    for (const { projectId, sourceBranch, targetBranch } of await this.parts.reader.collaborative(id)) {
      const changer = await this.#changerOf(actor, projectId);
      if (changer === undefined || branchRights(sourceBranch, rules, changer).protected) continue;
      const targetRules = await this.parts.protections.branchesOf(projectId);
      if (branchRights(targetBranch, targetRules, changer).merge) invited.add(sourceBranch);
    }
    return invited;
  }

  /** Undefined for who may not change the code of a project, or where its merge requests aren't for everybody to see. */
  async #changerOf(actor: UserActor, projectId: ProjectId): Promise<RefChanger | undefined> {
    try {
      const { project, level } = await this.parts.access.project(actor, String(projectId), 'push_code');
      return project.visibility === 'private' ? undefined : { level, admin: actor.admin };
    } catch (error) {
      if (error instanceof NotFound || error instanceof Forbidden) return undefined;
      throw error;
    }
  }
}

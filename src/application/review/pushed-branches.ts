import { branchRights, type RefChanger } from '../../domain/repositories/protected-ref.js';
import type { ProjectId, UserId } from '../../domain/shared/identifiers.js';
import type { Project } from '../../domain/workspace/namespace.js';
import { levelOfFeature } from '../../domain/workspace/project-features.js';
import type { ProtectedRefRepository } from '../repositories/ports/repository-repositories.js';
import type { Actor, UserActor } from '../shared/actor.js';
import type { Permitted } from '../shared/permitted.js';
import type { Viewer } from '../workspace/ports/workspace-readers.js';
import type { MergeRequestDetails, MergeRequestReader } from './ports/merge-request-ports.js';

interface Parts {
  readonly reader: MergeRequestReader;
  readonly viewer: (actor: Actor) => Viewer;
  /** Undefined for who may not push to a project. */
  readonly pushable: (actor: Actor, projectId: ProjectId) => Promise<Permitted<'push_code'> | undefined>;
  /** Undefined for who may not sign in any more. */
  readonly actorOf: (userId: UserId) => Promise<UserActor | undefined>;
  readonly protections: Pick<ProtectedRefRepository, 'branchesOf'>;
}

/** What merge requests say of the branches that people push to. */
export class PushedBranches {
  constructor(private readonly parts: Parts) {}

  /** The newest open merge request of a branch, as far as the viewer sees one. */
  async openOf(viewer: Actor, projectId: ProjectId, branch: string): Promise<MergeRequestDetails | undefined> {
    const { batches } = await this.parts.reader.list({
      viewer: this.parts.viewer(viewer),
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
   * The branches of a fork that somebody may push to because they may merge them where it was forked from: as long as a merge request is
   * open whose author allows it and may push there themself, both projects can be seen without membership, and the branch isn't protected.
   */
  async invitedTo(actor: UserActor, { id, visibility, features }: Project): Promise<ReadonlySet<string>> {
    const invited = new Set<string>();
    if (visibility === 'private' || features.repository !== 'enabled') return invited;
    const rules = await this.parts.protections.branchesOf(id);
    for (const { projectId, sourceBranch, targetBranch, authorId } of await this.parts.reader.collaborative(id)) {
      const changer = await this.#changerOf(actor, projectId);
      if (changer === undefined || branchRights(sourceBranch, rules, changer).protected) continue;
      const targetRules = await this.parts.protections.branchesOf(projectId);
      if (!branchRights(targetBranch, targetRules, changer).merge) continue;
      if (await this.#mayInvite(authorId, id)) invited.add(sourceBranch);
    }
    return invited;
  }

  /** Nobody gives away what they don't have any more. */
  async #mayInvite(authorId: UserId | null, sourceProjectId: ProjectId): Promise<boolean> {
    const author = authorId === null ? undefined : await this.parts.actorOf(authorId);
    return author !== undefined && (await this.parts.pushable(author, sourceProjectId)) !== undefined;
  }

  /** Undefined for who may not change the code of a project, or where its merge requests aren't for everybody to see. */
  async #changerOf(actor: UserActor, projectId: ProjectId): Promise<RefChanger | undefined> {
    const target = await this.parts.pushable(actor, projectId);
    if (target === undefined || target.project.visibility === 'private') return undefined;
    if (levelOfFeature(target.project.features, 'merge_requests') !== 'enabled') return undefined;
    return { level: target.level, admin: actor.admin };
  }
}

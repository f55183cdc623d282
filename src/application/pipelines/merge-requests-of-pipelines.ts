import {
  mergeRequestVariables,
  openMergeRequestsVariable,
  type KnownMergeRequest,
} from '../../domain/pipelines/known-merge-request.js';
import type { Pipeline } from '../../domain/pipelines/pipeline.js';
import type { CiValue } from '../../domain/pipelines/predefined-variables.js';
import type { ObjectId } from '../../domain/repositories/object-id.js';
import type { ProjectId } from '../../domain/shared/identifiers.js';
import { isProtectedRef, type Protections } from './operations/ref-rights.js';
import type { MergeRequestsOfCode } from './ports/merge-requests-of-code.js';

/** Of one branch. */
const MOST_OF_BRANCH = 4;

/** What jobs are told of merge requests. */
export class MergeRequestsOfPipelines {
  constructor(
    private readonly mergeRequests: MergeRequestsOfCode,
    private readonly protections: Protections,
  ) {}

  find(id: number): Promise<KnownMergeRequest | undefined> {
    return this.mergeRequests.find(id);
  }

  /** The newest open ones that come from a branch. */
  openFrom(projectId: ProjectId, branch: string): Promise<readonly KnownMergeRequest[]> {
    return this.mergeRequests.openFrom(projectId, branch, MOST_OF_BRANCH);
  }

  async variablesOfBranch(projectId: ProjectId, branch: string): Promise<readonly CiValue[]> {
    return openMergeRequestsVariable(await this.openFrom(projectId, branch));
  }

  /** @param base the commit that its changes are counted from. */
  async variablesOf(known: KnownMergeRequest, base: ObjectId | null): Promise<readonly CiValue[]> {
    const { id, branch: ref } = known.target;
    const targetProtected = await isProtectedRef(this.protections, id, { ref, tag: false });
    const open = known.source === null ? [] : await this.variablesOfBranch(known.source.id, known.source.branch);
    return [...mergeRequestVariables(known, { base, targetProtected }), ...open];
  }

  /** As things are now, for the jobs of a pipeline. */
  async variablesOfPipeline({ projectId, ref, tag, sha, mergeRequestId }: Pipeline): Promise<readonly CiValue[]> {
    if (tag) return [];
    if (mergeRequestId === null) return this.variablesOfBranch(projectId, ref);
    const known = await this.find(mergeRequestId);
    if (known === undefined) return [];
    const { version } = known;
    return this.variablesOf(known, version?.head === sha ? version.base : null);
  }
}

import {
  MOST_NAMED,
  mergeRequestVariables,
  openMergeRequestsVariable,
  type KnownMergeRequest,
} from '../../domain/pipelines/known-merge-request.js';
import type { Pipeline } from '../../domain/pipelines/pipeline.js';
import type { CiValue } from '../../domain/pipelines/predefined-variables.js';
import type { ObjectId } from '../../domain/repositories/object-id.js';
import type { ProjectId, UserId } from '../../domain/shared/identifiers.js';
import { isProtectedRef, type Protections } from './operations/ref-rights.js';
import type { MergeRequestsOfCode } from './ports/merge-requests-of-code.js';

interface Parts {
  readonly mergeRequests: MergeRequestsOfCode;
  readonly protections: Protections;
  /** Whether somebody may read the merge requests of a project now. */
  readonly mayReadMergeRequests: (userId: UserId, projectId: ProjectId) => Promise<boolean>;
}

interface BranchOfProject {
  readonly id: ProjectId;
  readonly branch: string;
}

/** Of one branch: of more, each would only cost as much again. */
const MOST_OF_BRANCH = 20;

/** Merge requests, as far as somebody sees them, and what jobs are told of them. */
export class MergeRequestsOfPipelines {
  constructor(private readonly parts: Parts) {}

  /** Undefined for who may not read the code that it is to change. */
  async find(id: number, by: UserId): Promise<KnownMergeRequest | undefined> {
    const known = await this.parts.mergeRequests.find(id);
    return known !== undefined && (await this.#isSeen(known, by)) ? known : undefined;
  }

  /** The newest open ones that come from a branch of a project that they may read. */
  async openFrom(
    { id, branch }: BranchOfProject,
    by: UserId,
    most = MOST_OF_BRANCH,
  ): Promise<readonly KnownMergeRequest[]> {
    const seen: KnownMergeRequest[] = [];
    for (const known of await this.parts.mergeRequests.openFrom(id, branch, most))
      if (known.target.id === id || (await this.#isSeen(known, by))) seen.push(known);
    return seen;
  }

  async variablesOfBranch(of: BranchOfProject, by: UserId): Promise<readonly CiValue[]> {
    return openMergeRequestsVariable(await this.openFrom(of, by, MOST_NAMED));
  }

  /** @param base the commit that its changes are counted from. @param ofBranch what is told to jobs of its source branch. */
  async variablesOf(
    known: KnownMergeRequest,
    base: ObjectId | null,
    ofBranch: readonly CiValue[],
  ): Promise<readonly CiValue[]> {
    const { id, branch: ref } = known.target;
    const targetProtected = await isProtectedRef(this.parts.protections, id, { ref, tag: false });
    return [...mergeRequestVariables(known, { base, targetProtected }), ...ofBranch];
  }

  /** As things are now, for a job that runs in somebody's name. */
  async variablesOfPipeline(pipeline: Pipeline, by: UserId): Promise<readonly CiValue[]> {
    const { projectId, ref, tag, sha, mergeRequestId } = pipeline;
    if (tag) return [];
    if (mergeRequestId === null) return this.variablesOfBranch({ id: projectId, branch: ref }, by);
    const known = await this.find(mergeRequestId, by);
    if (known === undefined) return [];
    const { source } = known;
    const ofBranch = source === null ? [] : await this.variablesOfBranch(source, by);
    return this.variablesOf(known, baseOf(known, sha), ofBranch);
  }

  /** The one that a pipeline is for, to make another one for it; undefined once it is gone, or not seen. */
  async ofPipeline({ mergeRequestId, sha, sourceBranch }: Pipeline, by: UserId) {
    const known = mergeRequestId === null ? undefined : await this.find(mergeRequestId, by);
    if (known === undefined || sourceBranch === null) return undefined;
    return { id: known.id, sourceBranch, targetBranch: known.target.branch, base: baseOf(known, sha) };
  }

  #isSeen({ target }: KnownMergeRequest, by: UserId): Promise<boolean> {
    return this.parts.mayReadMergeRequests(by, target.id);
  }
}

/** As it was found when the branches were looked at; null for another commit. */
const baseOf = ({ version }: KnownMergeRequest, sha: ObjectId): ObjectId | null =>
  version?.head === sha ? version.base : null;

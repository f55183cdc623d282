import type { KnownMergeRequest } from '../../domain/pipelines/known-merge-request.js';
import type { Pipeline } from '../../domain/pipelines/pipeline.js';
import type { CiValue } from '../../domain/pipelines/predefined-variables.js';
import type { ObjectId } from '../../domain/repositories/object-id.js';
import { branchRef } from '../../domain/repositories/ref-name.js';
import { NotPossible } from '../../domain/shared/domain-error.js';
import type { Project } from '../../domain/workspace/namespace.js';
import type { Commit, HistoryReader, ObjectReader } from '../repositories/ports/object-stores.js';
import type { RefReader } from '../repositories/ports/ref-reader.js';
import type { MovedRef, Repository } from '../repositories/ports/repository-repositories.js';
import type { UserActor } from '../shared/actor.js';
import type { PermittedProject } from '../shared/permitted.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { JobNeeds } from './operations/go-on-with-pipeline.js';
import { isStillAt, type RefNeeds } from './operations/is-still-at.js';
import { mayRunFor, type Protections } from './operations/ref-rights.js';
import { replaceOlder } from './operations/replace-older.js';
import type { MergeRequestsOfPipelines } from './merge-requests-of-pipelines.js';
import { PipelineRefused, refusal } from './pipeline-refused.js';
import { asksToSkip, type Prepared, type PreparePipelines } from './prepare-pipelines.js';

interface Parts {
  readonly unitOfWork: UnitOfWork<JobNeeds>;
  readonly refs: Pick<RefReader, 'findRepository' | 'findRef'>;
  readonly objects: Pick<ObjectReader, 'commit'>;
  readonly history: Pick<HistoryReader, 'mergeBase'>;
  readonly protections: Protections;
  readonly prepare: PreparePipelines;
  readonly mergeRequests: MergeRequestsOfPipelines;
  readonly clock: Clock;
}

type Step = (repositories: JobNeeds & RefNeeds) => Promise<void>;

/** The project that a merge request comes from: its pipelines run there, with what is kept there. */
type Place = PermittedProject<'run_pipelines'>;

/** The newest commit of a branch, and where it is. */
interface Head {
  readonly project: Project;
  readonly repository: Repository;
  readonly branch: string;
  readonly commit: Commit;
  /** What is told to its jobs of merge requests. */
  readonly told: readonly CiValue[];
}

/** What was found out about one, and the repository that it comes from. */
interface Found extends Pick<Head, 'repository'> {
  readonly known: KnownMergeRequest;
  readonly prepared: Prepared;
}

/** Makes pipelines for merge requests, of those jobs that their CI file keeps for these. */
export class CreateMergeRequestPipelines {
  constructor(private readonly parts: Parts) {}

  /** For those that come from a branch that was pushed by somebody who may run its jobs. Answers what is left to do in a transaction. */
  async forPush(actor: UserActor, { project }: Place, pushed: MovedRef): Promise<Step[]> {
    if (pushed.tag || pushed.skip) return [];
    const open = await this.parts.mergeRequests.openFrom({ id: project.id, branch: pushed.ref }, actor.id);
    const head = open.length === 0 ? undefined : await this.#headOf(actor, project, pushed.ref);
    // Of a branch that has moved on meanwhile the newer push makes one.
    if (head?.commit.id !== pushed.to) return [];
    const steps: Step[] = [];
    for (const known of open) steps.push(this.#storing(actor, await this.#prepare(actor, head, known)));
    return steps;
  }

  /** For one that was opened, reopened, or sent elsewhere, where whoever did so may run jobs of its branch. */
  async forOpened(actor: UserActor, place: Place, id: number): Promise<Step | undefined> {
    const known = await this.parts.mergeRequests.find(id, actor.id);
    if (known?.isOpen !== true || !(await this.#mayRun(actor, place, known))) return undefined;
    const head = await this.#headOf(actor, place.project, known.source?.branch);
    return head && this.#storing(actor, await this.#prepare(actor, head, known));
  }

  /**
   * Because somebody asks for it.
   * @param place the project that it comes from.
   * @throws NotPossible where its CI file has no job for merge requests, or there is none; Invalid, as `base`, for one that can't be run.
   */
  async create(actor: UserActor, place: Place, id: number): Promise<Pipeline> {
    const known = await this.parts.mergeRequests.find(id, actor.id);
    if (known?.isOpen !== true) throw new NotPossible('Only an open merge request has pipelines.');
    if (!(await this.#mayRun(actor, place, known)))
      throw new PipelineRefused('no_rights', [
        `You do not have sufficient permission to run a pipeline on '${known.source?.branch ?? ''}'.`,
      ]);
    const head = await this.#headOf(actor, place.project, known.source?.branch);
    if (head === undefined) throw new NotPossible('Its source branch is not there.');
    const { prepared } = await this.#prepare(actor, head, known);
    const { plan } = prepared;
    if (plan.outcome === 'missing') throw new NotPossible('Its newest commit has no CI file.');
    if (plan.outcome === 'nothing') throw new NotPossible(plan.reason);
    if (plan.outcome === 'broken') throw refusal(...plan.errors);
    return this.parts.unitOfWork.execute(async (repositories) => {
      const excess = await this.parts.prepare.excessOf(repositories, prepared);
      if (excess !== undefined) throw refusal(excess);
      return this.parts.prepare.store(repositories, prepared);
    });
  }

  async #mayRun(actor: UserActor, place: Place, { source }: KnownMergeRequest): Promise<boolean> {
    if (source?.id !== place.project.id) return false;
    return mayRunFor(this.parts.protections, place, actor, { ref: source.branch, tag: false });
  }

  /** Undefined where the branch isn't there. */
  async #headOf({ id: by }: UserActor, project: Project, branch: string | undefined): Promise<Head | undefined> {
    const repository = await this.parts.refs.findRepository(project.id);
    if (repository === undefined || branch === undefined) return undefined;
    const ref = await this.parts.refs.findRef(repository.id, branchRef(branch));
    const commit = ref && (await this.parts.objects.commit(repository.store, ref.target));
    if (commit === undefined) return undefined;
    const told = await this.parts.mergeRequests.variablesOfBranch({ id: project.id, branch }, by);
    return { project, repository, branch, commit, told };
  }

  async #prepare(actor: UserActor, head: Head, known: KnownMergeRequest): Promise<Found> {
    const { project, repository, branch: sourceBranch, commit, told } = head;
    const base = await this.#baseOf(repository, known, commit.id);
    const prepared = await this.parts.prepare.prepare(
      { project, store: repository.store, commit },
      {
        ...{ ref: known.ref, tag: false, source: 'merge_request_event' },
        ...{ userId: actor.id, variables: [], beforeSha: null },
        known: await this.parts.mergeRequests.variablesOf(known, base, told),
        mergeRequest: { id: known.id, sourceBranch, targetBranch: known.target.branch, base },
      },
    );
    return { known, repository, prepared };
  }

  /** Where its branches parted; of two projects as it was found when they were looked at, null before that. */
  async #baseOf({ id, projectId, store }: Repository, { target, version }: KnownMergeRequest, sha: ObjectId) {
    if (target.id !== projectId) return version?.head === sha ? version.base : null;
    const head = await this.parts.refs.findRef(id, branchRef(target.branch));
    return head === undefined ? null : ((await this.parts.history.mergeBase(store, [head.target, sha])) ?? null);
  }

  /** Makes it, unless there is one of that commit already. A file that can't be read is told of by the pipeline of the branch. */
  #storing({ id: by }: UserActor, { known, repository, prepared }: Found): Step {
    const { project, commit, plan, ref, source, mergeRequest } = prepared;
    return async (repositories) => {
      const { pipelines } = repositories;
      if (plan.outcome !== 'planned' || mergeRequest === undefined || asksToSkip(commit)) return;
      await pipelines.hold(project.id);
      // Whoever moved it meanwhile makes one of the newer commit.
      if (!(await isStillAt(repositories, repository.id, mergeRequest.sourceBranch, commit.id))) return;
      if ((await pipelines.ofMergeRequest(mergeRequest, commit.id)) !== undefined) return;
      const newest = { projectId: project.id, ref, source, mergeRequestId: known.id, sha: commit.id };
      if (plan.autoCancel.onNewCommit !== 'none')
        await replaceOlder(repositories, newest, plan.autoCancel.onNewCommit, { by, at: this.parts.clock.now() });
      await this.parts.prepare.storeUnasked(repositories, prepared);
    };
  }
}

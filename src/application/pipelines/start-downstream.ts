import type { CiChildTrigger, CiProjectTrigger } from '../../domain/pipelines/ci-file/ci-config.js';
import { inputsIn } from '../../domain/pipelines/ci-file/inputs.js';
import { textOfChild } from '../../domain/pipelines/ci-file/read-trigger.js';
import { endWith, givenDownstream, MOST_CHILD_LEVELS, MOST_LEVELS } from '../../domain/pipelines/downstream.js';
import { isBridge, type CiJob, type FailureReason } from '../../domain/pipelines/ci-job.js';
import { codeRefOf, type Pipeline } from '../../domain/pipelines/pipeline.js';
import { upstreamVariables, type CiValue } from '../../domain/pipelines/predefined-variables.js';
import { DEFAULT_BRANCH } from '../../domain/repositories/default-branch.js';
import { branchRef } from '../../domain/repositories/ref-name.js';
import { Archived, Forbidden, NotFound, SwitchedOff } from '../../domain/shared/domain-error.js';
import type { ProjectId, UserId } from '../../domain/shared/identifiers.js';
import { isFeatureOn } from '../../domain/workspace/project-features.js';
import type { UserActor } from '../shared/actor.js';
import type { PermittedProject } from '../shared/permitted.js';
import type { Clock } from '../shared/ports/clock.js';
import type { SecretBox } from '../shared/ports/secrets.js';
import type { WorkspaceReader } from '../workspace/ports/workspace-readers.js';
import type { CreatePipelines, StartOfBridge } from './create-pipelines.js';
import type { JobTokens } from './job-tokens.js';
import type { Artifacts } from './artifacts.js';
import { endBridge, waiting } from './operations/bridge-standing.js';
import { endJob } from './operations/end-job.js';
import { enterAsJob } from './operations/enter-as-job.js';
import { goOnWithPipeline, type JobNeeds } from './operations/go-on-with-pipeline.js';
import { byOf } from './operations/held-job.js';
import { mayRunFor, type Protections } from './operations/ref-rights.js';
import { PipelineRefused } from './pipeline-refused.js';
import type { BridgeReader } from './ports/bridge-ports.js';
import type { CiJobDetails, CiJobReader } from './ports/ci-job-ports.js';
import type { StarterReader } from './ports/starter-ports.js';

type Place = PermittedProject<'run_pipelines'>;

interface Parts {
  readonly reader: Pick<CiJobReader, 'find' | 'sealedVariablesOf'>;
  readonly bridges: Pick<BridgeReader, 'childLevelOf'>;
  readonly workspace: Pick<WorkspaceReader, 'findProject'>;
  readonly protections: Protections;
  readonly jobTokens: Pick<JobTokens, 'readerOf'>;
  readonly left: Pick<Artifacts, 'textIn'>;
  readonly starters: Pick<StarterReader, 'has'>;
  readonly createPipelines: Pick<CreatePipelines, 'create' | 'createChild' | 'variablesOf'>;
  /** Undefined for who may not run jobs of the project any more. */
  readonly whoRuns: (
    id: UserId,
    projectId: ProjectId,
  ) => Promise<{ readonly user: Pick<UserActor, 'admin'>; readonly place: Place } | undefined>;
  /** @throws NotFound; Forbidden. */
  readonly enter: (starter: UserActor, project: string | undefined) => Promise<Place>;
  readonly box: SecretBox;
  readonly clock: Clock;
}

/** Somebody canceled it meanwhile, or another node has started what it starts. */
class NothingToStart extends Error {}

type Target = Awaited<ReturnType<typeof enterAsJob>>;

/** Starts the pipelines that jobs ask for, in the name and with the rights of whoever they run for. */
export class StartDownstream {
  constructor(private readonly parts: Parts) {}

  /**
   * Makes what a job starts, in a transaction of its own, in which the job is told of it, too: whoever cancels the job comes before, and
   * nothing is made, or after, and finds it begun.
   * @returns what is left to do in another transaction, where nothing can be made: the job has failed then.
   */
  async start(projectId: ProjectId, jobId: number): Promise<((repositories: JobNeeds) => Promise<void>) | undefined> {
    const job = await this.parts.reader.find(projectId, jobId);
    if (job?.status !== 'pending' || !isBridge(job)) return undefined;
    const failure = await this.#make(job);
    return failure && ((repositories) => fail(repositories, job, failure, this.parts.clock.now()));
  }

  /** Answers why it can't be made. */
  async #make(job: CiJobDetails): Promise<FailureReason | undefined> {
    const unable = await this.#reasonAgainst(job);
    if (unable !== undefined) return unable;
    if (await this.#isTooDeep(job)) return 'reached_max_descendant_pipelines_depth';
    const variables = await this.#variablesOf(job);
    if (variables === undefined) return 'downstream_pipeline_creation_failed';
    const { trigger } = job.definition;
    try {
      if (trigger !== undefined && 'include' in trigger) return await this.#makeChild(job, trigger, variables);
      return await this.#makeElsewhere(job, trigger, variables);
    } catch (error) {
      if (error instanceof NothingToStart) return undefined;
      if (!(error instanceof PipelineRefused)) throw error;
      return error.why === 'no_rights' ? 'insufficient_bridge_permissions' : 'downstream_pipeline_creation_failed';
    }
  }

  async #isTooDeep({ pipeline, definition }: CiJobDetails): Promise<boolean> {
    if (pipeline.depth >= MOST_LEVELS) return true;
    if (definition.trigger === undefined || !('include' in definition.trigger)) return false;
    return (await this.parts.bridges.childLevelOf(pipeline, MOST_CHILD_LEVELS)) >= MOST_CHILD_LEVELS;
  }

  async #makeChild(job: CiJobDetails, trigger: CiChildTrigger, variables: readonly CiValue[]) {
    const { projectId, userId, pipeline } = job;
    const project = await this.parts.workspace.findProject(projectId);
    if (project === undefined || userId === null) return 'user_blocked';
    const start = this.#startOf(job, projectId);
    const leftBy = (name: string, path: string) => this.parts.left.textIn(pipeline.id, name, path);
    const wanted = { text: textOfChild(trigger), leftBy, variables, ...start };
    await this.parts.createPipelines.createChild(userId, project, pipeline, wanted);
    return undefined;
  }

  async #makeElsewhere(
    job: CiJobDetails,
    trigger: CiProjectTrigger | undefined,
    variables: readonly CiValue[],
  ): Promise<FailureReason | undefined> {
    const target = await this.#enter(job, trigger?.project ?? '');
    if (typeof target === 'string') return target;
    const { project } = target.place;
    await this.parts.createPipelines.create(target.starter, target.place, {
      ref: trigger?.branch ?? branchRef(project.defaultBranch ?? DEFAULT_BRANCH),
      source: 'pipeline',
      variables,
      inputs: inputsIn(trigger?.inputs ?? {}) ?? new Map(),
      ...this.#startOf(job, project.id),
    });
    return undefined;
  }

  /** Why nothing is started in its own project any more, whatever it is that it starts. */
  async #reasonAgainst({ projectId, userId, pipeline }: CiJobDetails): Promise<FailureReason | undefined> {
    const project = await this.parts.workspace.findProject(projectId);
    if (project?.archived === true) return 'archived_failure';
    if (project === undefined || !isFeatureOn(project, 'builds')) return 'builds_disabled';
    const who = userId === null ? undefined : await this.parts.whoRuns(userId, projectId);
    if (who === undefined) return 'user_blocked';
    const mayRun = await mayRunFor(this.parts.protections, who.place, who.user, codeRefOf(pipeline));
    return mayRun ? undefined : 'user_blocked';
  }

  /** A number is no path. */
  async #enter({ id, projectId, userId }: CiJobDetails, path: string): Promise<Target | FailureReason> {
    const job = userId === null ? undefined : await this.parts.jobTokens.readerOf({ id, projectId, userId });
    if (job === undefined) return 'user_blocked';
    if (!path.includes('/')) return 'downstream_bridge_project_not_found';
    try {
      return await enterAsJob(this.parts, job, path);
    } catch (error) {
      if (error instanceof NotFound) return 'downstream_bridge_project_not_found';
      if (error instanceof Archived || error instanceof SwitchedOff) return 'downstream_pipeline_creation_failed';
      if (error instanceof Forbidden) return 'insufficient_bridge_permissions';
      throw error;
    }
  }

  async #variablesOf({ id, pipeline, definition }: CiJobDetails): Promise<readonly CiValue[] | undefined> {
    const sealed = await this.parts.reader.sealedVariablesOf(id);
    const played = sealed === null ? [] : (JSON.parse(this.parts.box.open(sealed)) as CiValue[]);
    const asked = await this.parts.createPipelines.variablesOf(pipeline.id);
    return givenDownstream(definition, { jobId: id, pipeline, asked, played });
  }

  /** @param target the project where it is. */
  #startOf({ id: bridgeId, projectId, pipelineId, pipeline }: CiJobDetails, target: ProjectId) {
    const upstream: StartOfBridge = {
      bridgeId,
      depth: pipeline.depth + 1,
      take: async (repositories) => {
        await repositories.pipelines.hold(projectId, target);
        if ((await findPending(repositories, bridgeId)) === undefined) throw new NothingToStart();
      },
      settle: (repositories, made) => settle(repositories, bridgeId, made, this.parts.clock.now()),
    };
    return { told: upstreamVariables({ projectId, pipelineId, jobId: bridgeId }), upstream };
  }
}

/** A job whose turn has come and which has started nothing yet, and its pipeline. These are held. */
const findPending = async ({ ciJobs, pipelines }: JobNeeds, id: number) => {
  const job = await ciJobs.find(id);
  const pipeline = job?.status === 'pending' ? await pipelines.find(job.pipelineId) : undefined;
  return job && pipeline && { job, pipeline };
};

/** One that isn't awaited any more stays as it is. */
const fail = async (
  repositories: JobNeeds,
  { id, projectId }: Pick<CiJob, 'id' | 'projectId'>,
  reason: FailureReason,
  at: Date,
): Promise<void> => {
  await repositories.pipelines.hold(projectId);
  const pending = await findPending(repositories, id);
  if (pending === undefined) return;
  const { job, pipeline } = pending;
  await endJob(repositories, job, { status: 'failed', reason, exitCode: null }, at);
  await goOnWithPipeline(repositories, pipeline, { by: byOf(job, pipeline), at });
};

/** How a job that was pending stands once its pipeline was made: it waits for it, or has done what it was for. */
const settle = async (repositories: JobNeeds, id: number, { status }: Pipeline, at: Date): Promise<void> => {
  const pending = await findPending(repositories, id);
  if (pending === undefined) throw new NothingToStart();
  const { job, pipeline } = pending;
  const end = job.definition.trigger?.depends === true ? endWith(status) : 'success';
  await repositories.ciJobs.change(id, { status: 'running', startedAt: at, ...waiting(at) });
  if (end !== undefined) await endBridge(repositories, job, end, at);
  await goOnWithPipeline(repositories, pipeline, { by: byOf(job, pipeline), at });
};

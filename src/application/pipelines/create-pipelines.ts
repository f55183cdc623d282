import type { CiMap } from '../../domain/pipelines/ci-file/ci-value.js';
import { CHILD, type Pipeline, type PipelineSource } from '../../domain/pipelines/pipeline.js';
import { isTold, type CiValue } from '../../domain/pipelines/predefined-variables.js';
import { branchRef, refPartsOf } from '../../domain/repositories/ref-name.js';
import type { ObjectId } from '../../domain/repositories/object-id.js';
import type { ProjectId, UserId } from '../../domain/shared/identifiers.js';
import type { Project } from '../../domain/workspace/namespace.js';
import type { ObjectReader } from '../repositories/ports/object-stores.js';
import type { RefReader } from '../repositories/ports/ref-reader.js';
import type { MovedRef } from '../repositories/ports/repository-repositories.js';
import type { UserActor } from '../shared/actor.js';
import type { Permitted } from '../shared/permitted.js';
import type { Clock } from '../shared/ports/clock.js';
import type { SecretBox } from '../shared/ports/secrets.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { WorkspaceReader } from '../workspace/ports/workspace-readers.js';
import { ciFileAt, type LeftBy } from './ci-files.js';
import type { JobNeeds } from './operations/go-on-with-pipeline.js';
import { isStillAt, type RefNeeds } from './operations/is-still-at.js';
import { mayRunFor, type NamedRef, type Protections } from './operations/ref-rights.js';
import { replaceOlder } from './operations/replace-older.js';
import type { MergeRequestsOfPipelines } from './merge-requests-of-pipelines.js';
import type { PipelineReader } from './ports/pipeline-ports.js';
import type { ScheduleRepositories } from './ports/schedule-ports.js';
import { PipelineRefused, refusal } from './pipeline-refused.js';
import {
  asksToSkip,
  type Code,
  type Prepared,
  type PreparePipelines,
  type UpstreamOfPipeline,
} from './prepare-pipelines.js';

export interface WantedPipeline {
  /** A branch or tag, by its full or short name. */
  readonly ref: string;
  readonly source: Extract<PipelineSource, 'api' | 'web' | 'trigger' | 'pipeline' | 'schedule'>;
  /** What jobs are given because whoever asks chose it. */
  readonly variables: readonly CiValue[];
  /** What its CI file is given. */
  readonly inputs?: CiMap;
  /** What jobs are told of how they were asked for. */
  readonly told?: readonly CiValue[];
  readonly schedule?: RunOfSchedule;
  readonly upstream?: StartOfBridge;
}

/** A run of a schedule, which is there once and for all together with its pipeline. */
export interface RunOfSchedule {
  readonly id: number;
  /** @throws whatever keeps it from being made. */
  readonly take: (repositories: ScheduleRepositories) => Promise<void>;
}

/** A pipeline that is to be part of another one. */
export interface WantedChild extends Required<Pick<WantedPipeline, 'variables' | 'told' | 'upstream'>> {
  /** What it does, as a CI file says it. */
  readonly text: string;
  /** What that may include of what jobs of the other one left. */
  readonly leftBy: LeftBy;
}

/** The start of a pipeline by a job, which happens once. */
export interface StartOfBridge extends UpstreamOfPipeline {
  /** Before anything else is asked. @throws whatever keeps it from being made. */
  readonly take: (repositories: JobNeeds) => Promise<void>;
  /** Once it is there, in the same transaction: how the job stands then. */
  readonly settle: (repositories: JobNeeds, made: Pipeline) => Promise<void>;
}

interface Parts {
  readonly unitOfWork: UnitOfWork<JobNeeds & ScheduleRepositories>;
  readonly refs: RefReader;
  readonly workspace: Pick<WorkspaceReader, 'findProject'>;
  readonly objects: Pick<ObjectReader, 'commit' | 'entryAt'>;
  readonly protections: Protections;
  readonly prepare: PreparePipelines;
  readonly mergeRequests: Pick<MergeRequestsOfPipelines, 'variablesOfBranch' | 'variablesOfPipeline' | 'ofPipeline'>;
  readonly reader: Pick<PipelineReader, 'sealedVariablesOf'>;
  readonly box: SecretBox;
  readonly clock: Clock;
}

const NO_FILE = 'Missing CI config file';

/** Makes pipelines of what the CI file of a commit says, for branches and tags. */
export class CreatePipelines {
  constructor(private readonly parts: Parts) {}

  /** Whether a commit that was pushed may have a CI file. For one that has none nothing else needs to be found out. */
  async hasFile(projectId: ProjectId, sha: ObjectId): Promise<boolean> {
    const repository = await this.parts.refs.findRepository(projectId);
    const commit = repository && (await this.parts.objects.commit(repository.store, sha));
    if (repository === undefined || commit === undefined) return false;
    const place = { store: repository.store, commit };
    // Most projects don't say where it is: theirs aren't looked up.
    if ((await ciFileAt(this.parts.objects, { ...place, configPath: null })) !== undefined) return true;
    const configPath = (await this.parts.workspace.findProject(projectId))?.ciConfigPath ?? null;
    return configPath !== null && (await ciFileAt(this.parts.objects, { ...place, configPath })) !== undefined;
  }

  /**
   * For a branch or tag that was pushed: a file that can't be read makes one that has failed, and says so.
   * @returns what is left to do in a transaction; undefined where the file, or the commit, asks for none.
   */
  async forPush(userId: UserId, project: Project, pushed: MovedRef) {
    // It was archived since the push.
    if (project.archived) return undefined;
    const repository = await this.parts.refs.findRepository(project.id);
    const commit = repository && (await this.parts.objects.commit(repository.store, pushed.to));
    if (repository === undefined || commit === undefined) return undefined;
    const { ref, tag, from: beforeSha } = pushed;
    const known = await this.#knownOf(project, { ref, tag }, userId);
    const asked = { ref, tag, source: 'push' as const, userId, variables: [], known, beforeSha };
    const prepared = await this.parts.prepare.prepare({ project, store: repository.store, commit }, asked);
    const { plan } = prepared;
    if (plan.outcome === 'missing' || plan.outcome === 'nothing') return undefined;
    const skip = pushed.skip || asksToSkip(commit);
    const replaces = skip || tag || plan.outcome !== 'planned' ? 'none' : plan.autoCancel.onNewCommit;
    return async (repositories: JobNeeds & RefNeeds): Promise<void> => {
      await repositories.pipelines.hold(project.id);
      const at = this.parts.clock.now();
      const newest = { projectId: project.id, ref, source: 'push' as const, mergeRequestId: null, sha: commit.id };
      // A push whose turn comes late ends nothing that a newer one began.
      if (replaces !== 'none' && (await isStillAt(repositories, repository.id, ref, commit.id)))
        await replaceOlder(repositories, newest, replaces, { by: userId, at });
      await this.parts.prepare.storeUnasked(repositories, { ...prepared, skip });
    };
  }

  /** @throws PipelineRefused, as `base`, for what can't be run, and why; what keeps a run of a schedule, or of a job, from making it. */
  async create(actor: UserActor, place: Permitted<'run_pipelines'>, wanted: WantedPipeline): Promise<Pipeline> {
    const { project } = place;
    const { named, code } = await this.#find(project, wanted.ref);
    const inputs = wanted.inputs ?? new Map();
    // Both may make jobs of the branch do what whoever asks wants.
    const chosen = wanted.variables.length > 0 || inputs.size > 0;
    if (!(await mayRunFor(this.parts.protections, place, actor, named)))
      throw new PipelineRefused('no_rights', [
        `You do not have sufficient permission to run a pipeline on '${named.ref}'.`,
      ]);
    if (chosen && !(await mayRunFor(this.parts.protections, place, actor, { ...named, chosen })))
      throw new PipelineRefused('no_rights', [
        `Insufficient permissions to set pipeline ${inputs.size > 0 ? 'inputs' : 'variables'}`,
      ]);
    const variables = [...wanted.variables, ...(wanted.told ?? [])];
    const known = await this.#knownOf(project, named, actor.id);
    const { source } = wanted;
    const asked = { ...named, source, userId: actor.id, variables, known, beforeSha: null, inputs };
    const prepared = await this.parts.prepare.prepare(code, asked);
    return this.#store(prepared, wanted);
  }

  /**
   * Makes a part of a pipeline, of the same commit: what the job of that one that starts it says in place of a CI file.
   * @throws PipelineRefused, as `base`, for what can't be run; what keeps the job from making it.
   */
  async createChild(userId: UserId, project: Project, parent: Pipeline, wanted: WantedChild): Promise<Pipeline> {
    const { ref, tag, beforeSha } = parent;
    const repository = await this.parts.refs.findRepository(project.id);
    const commit = repository && (await this.parts.objects.commit(repository.store, parent.sha));
    if (repository === undefined || commit === undefined) throw refusal('Commit not found');
    const mergeRequest = await this.parts.mergeRequests.ofPipeline(parent, userId);
    if (parent.sourceBranch !== null && mergeRequest === undefined) throw refusal('Merge request not found');
    const known = await this.parts.mergeRequests.variablesOfPipeline(parent, userId);
    const variables = [...wanted.variables, ...wanted.told];
    const prepared = await this.parts.prepare.prepare(
      { project, store: repository.store, commit },
      {
        ...{ ref, tag, beforeSha, source: CHILD, userId, variables, known, text: wanted.text },
        leftBy: wanted.leftBy,
        ...(mergeRequest && { mergeRequest }),
      },
    );
    return this.#store(prepared, wanted);
  }

  async #store(prepared: Prepared, { upstream, schedule }: Pick<WantedPipeline, 'upstream' | 'schedule'>) {
    const { plan } = prepared;
    if (plan.outcome === 'missing') throw refusal(NO_FILE);
    if (plan.outcome === 'nothing') throw refusal(plan.reason);
    if (plan.outcome === 'broken') throw refusal(...plan.errors);
    return this.parts.unitOfWork.execute(async (repositories) => {
      await upstream?.take(repositories);
      const excess = await this.parts.prepare.excessOf(repositories, prepared);
      if (excess !== undefined) throw refusal(excess);
      await schedule?.take(repositories);
      const made = await this.parts.prepare.store(repositories, {
        ...prepared,
        ...(schedule && { scheduleId: schedule.id }),
        ...(upstream && { upstream }),
      });
      await upstream?.settle(repositories, made);
      return made;
    });
  }

  /** What whoever asked for it gave its jobs. */
  async variablesOf(id: number): Promise<readonly CiValue[]> {
    const sealed = await this.parts.reader.sealedVariablesOf(id);
    const given = sealed === null ? [] : (JSON.parse(this.parts.box.open(sealed)) as CiValue[]);
    return given.filter((value) => !isTold(value));
  }

  /** What is known of a branch beside its commit, as far as somebody may know it. */
  async #knownOf({ id }: Project, { ref, tag }: NamedRef, by: UserId): Promise<readonly CiValue[]> {
    return tag ? [] : this.parts.mergeRequests.variablesOfBranch({ id, branch: ref }, by);
  }

  async #find(project: Project, name: string): Promise<{ readonly named: NamedRef; readonly code: Code }> {
    const { repository, ref } = (await this.parts.refs.resolveIn(project.id, name)) ?? {};
    const parts = ref && refPartsOf(ref.name);
    if (repository === undefined || ref === undefined || parts === undefined)
      throw new PipelineRefused('no_ref', ['Reference not found']);
    const commit = await this.parts.objects.commit(repository.store, ref.target);
    if (commit === undefined) throw refusal('Commit not found');
    const named = { ref: parts.name, tag: ref.name !== branchRef(parts.name) };
    return { named, code: { project, store: repository.store, commit } };
  }
}

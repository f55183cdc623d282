import type { Replaces } from '../../domain/pipelines/ci-file/ci-config.js';
import type { Pipeline, PipelineSource, PipelineStatus } from '../../domain/pipelines/pipeline.js';
import { withEnvironment } from '../../domain/pipelines/job-environment.js';
import { commitVariables, type CiValue } from '../../domain/pipelines/predefined-variables.js';
import { DEFAULT_BRANCH } from '../../domain/repositories/default-branch.js';
import { branchRef, refPartsOf } from '../../domain/repositories/ref-name.js';
import { Invalid } from '../../domain/shared/domain-error.js';
import type { UserId } from '../../domain/shared/identifiers.js';
import type { Project } from '../../domain/workspace/namespace.js';
import type { Commit, ObjectReader, StoreName } from '../repositories/ports/object-stores.js';
import type { RefReader } from '../repositories/ports/ref-reader.js';
import type { MovedRef } from '../repositories/ports/repository-repositories.js';
import type { UserActor } from '../shared/actor.js';
import type { Permitted } from '../shared/permitted.js';
import type { Clock } from '../shared/ports/clock.js';
import type { SecretBox } from '../shared/ports/secrets.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import { addJobs } from './operations/add-jobs.js';
import { goOnWithPipeline, type JobNeeds } from './operations/go-on-with-pipeline.js';
import { isProtectedRef, mayRunFor, type NamedRef, type Protections } from './operations/ref-rights.js';
import { replaceOlder } from './operations/replace-older.js';
import { settlePipeline } from './operations/settle-pipeline.js';
import type { CiVariableSource } from './ports/ci-variable-source.js';
import type { PipelineReader } from './ports/pipeline-ports.js';
import type { PipelinePlan, PipelinePlanner } from './ports/pipeline-planner.js';

export interface WantedPipeline {
  /** A branch or tag, by its full or short name. */
  readonly ref: string;
  readonly source: Extract<PipelineSource, 'api' | 'web' | 'trigger'>;
  /** What jobs are given because whoever asks chose it. */
  readonly variables: readonly CiValue[];
  /** What jobs are told of how they were asked for. */
  readonly told?: readonly CiValue[];
}

interface Parts {
  readonly unitOfWork: UnitOfWork<JobNeeds>;
  readonly refs: RefReader;
  readonly objects: Pick<ObjectReader, 'commit'>;
  readonly protections: Protections;
  readonly variables: CiVariableSource;
  readonly planner: PipelinePlanner;
  readonly reader: Pick<PipelineReader, 'sealedVariablesOf'>;
  readonly box: SecretBox;
  readonly clock: Clock;
}

/** A pipeline that was found out about, and isn't there yet. */
interface Prepared extends NamedRef {
  readonly project: Pick<Project, 'id'>;
  readonly commit: Commit;
  readonly source: Exclude<PipelineSource, 'external'>;
  readonly userId: UserId;
  readonly beforeSha: string | null;
  readonly protectedRef: boolean;
  readonly variables: readonly CiValue[];
  readonly plan: PipelinePlan;
  readonly skip: boolean;
}

interface Code {
  readonly project: Project;
  readonly store: StoreName;
  readonly commit: Commit;
}

const MOST_PIPELINES = 100;
/** More would only hold up those of others. */
const MOST_GOING_ON = 2_000;
const TOO_MANY_PIPELINES = `A commit has at most ${MOST_PIPELINES} pipelines.`;
const TOO_MANY_JOBS = `Pipelines of a project that have not ended have at most ${MOST_GOING_ON} jobs together.`;
const SKIPPED = /\[(?:ci[ _-]skip|skip[ _-]ci)\]/i;
const NO_FILE = 'Missing CI config file';

/** Makes pipelines of what the CI file of a commit says. */
export class CreatePipelines {
  constructor(private readonly parts: Parts) {}

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
    const code = { project, store: repository.store, commit };
    const wanted = { ...pushed, source: 'push' as const, variables: [], beforeSha: pushed.from };
    const prepared = await this.#prepare(code, userId, wanted);
    const { plan } = prepared;
    if (plan.outcome === 'missing' || plan.outcome === 'nothing') return undefined;
    const skip = pushed.skip || SKIPPED.test(commit.message);
    const replaces = skip ? 'none' : await this.#replacedBy(plan, repository.id, pushed);
    return async (repositories: JobNeeds): Promise<void> => {
      await repositories.pipelines.hold(project.id);
      const at = this.parts.clock.now();
      const newest = { projectId: project.id, ref: pushed.ref, sha: commit.id };
      if (replaces !== 'none') await replaceOlder(repositories, newest, replaces, { by: userId, at });
      const excess = await this.#excessOf(repositories, prepared);
      if (excess === TOO_MANY_PIPELINES) return;
      const stored = excess === undefined || skip ? plan : ({ outcome: 'broken', errors: [excess] } as const);
      await this.#store(repositories, { ...prepared, plan: stored, skip });
    };
  }

  /** @throws Invalid, as `base`, for what can't be run, and why. */
  async create(actor: UserActor, place: Permitted<'run_pipelines'>, wanted: WantedPipeline): Promise<Pipeline> {
    const { project } = place;
    const { named, code } = await this.#find(project, wanted.ref);
    const chosen = wanted.variables.length > 0;
    if (!(await mayRunFor(this.parts.protections, place, actor, named)))
      throw refusal(`You do not have sufficient permission to run a pipeline on '${named.ref}'.`);
    if (chosen && !(await mayRunFor(this.parts.protections, place, actor, { ...named, chosen })))
      throw refusal('Insufficient permissions to set pipeline variables');
    const variables = [...wanted.variables, ...(wanted.told ?? [])];
    const prepared = await this.#prepare(code, actor.id, {
      ...named,
      source: wanted.source,
      variables,
      beforeSha: null,
    });
    const { plan } = prepared;
    if (plan.outcome === 'missing') throw refusal(NO_FILE);
    if (plan.outcome === 'nothing') throw refusal(plan.reason);
    if (plan.outcome === 'broken') throw refusal(...plan.errors);
    return this.parts.unitOfWork.execute(async (repositories) => {
      const excess = await this.#excessOf(repositories, prepared);
      if (excess !== undefined) throw refusal(excess);
      return this.#store(repositories, prepared);
    });
  }

  /** What whoever asked for it gave its jobs. */
  async variablesOf(id: number): Promise<readonly CiValue[]> {
    const sealed = await this.parts.reader.sealedVariablesOf(id);
    return sealed === null ? [] : (JSON.parse(this.parts.box.open(sealed)) as CiValue[]);
  }

  /** A push whose turn comes late ends nothing that a newer one began. */
  async #replacedBy(plan: PipelinePlan, repositoryId: number, pushed: MovedRef): Promise<Replaces> {
    if (plan.outcome !== 'planned' || plan.replaces === 'none' || pushed.tag) return 'none';
    const head = await this.parts.refs.findRef(repositoryId, branchRef(pushed.ref));
    return head?.target === pushed.to ? plan.replaces : 'none';
  }

  async #find(project: Project, name: string): Promise<{ readonly named: NamedRef; readonly code: Code }> {
    const repository = await this.parts.refs.findRepository(project.id);
    const ref = repository && (await this.parts.refs.resolve(repository.id, name));
    const parts = ref && refPartsOf(ref.name);
    if (repository === undefined || ref === undefined || parts === undefined) throw refusal('Reference not found');
    const commit = await this.parts.objects.commit(repository.store, ref.target);
    if (commit === undefined) throw refusal('Commit not found');
    const named = { ref: parts.name, tag: ref.name !== branchRef(parts.name) };
    return { named, code: { project, store: repository.store, commit } };
  }

  async #prepare(
    { project, store, commit }: Code,
    userId: UserId,
    { ref, tag, source, variables, beforeSha }: NamedRef & Pick<Prepared, 'source' | 'variables' | 'beforeSha'>,
  ): Promise<Prepared> {
    const protectedRef = await isProtectedRef(this.parts.protections, project.id, { ref, tag });
    const known = commitVariables({ project, commit, ref, tag, source, beforeSha, protectedRef });
    const kept = await this.parts.variables.variablesFor(project.id, { protectedRef });
    const planned = await this.parts.planner.plan({
      ...{ store, commit, ref, tag, source },
      defaultBranch: project.defaultBranch ?? DEFAULT_BRANCH,
      variables: new Map([...known, ...kept, ...variables].map(({ key, value }) => [key, value])),
      before: beforeSha,
    });
    const plan =
      planned.outcome === 'planned'
        ? { ...planned, jobs: planned.jobs.map((job) => withEnvironment(job, known, variables)) }
        : planned;
    return { project, commit, ref, tag, source, userId, beforeSha, protectedRef, variables, plan, skip: false };
  }

  /** Why there may not be one more, in words. Until the transaction ends nobody else makes one. */
  async #excessOf({ pipelines, ciJobs }: JobNeeds, { project, commit, plan }: Prepared): Promise<string | undefined> {
    await pipelines.hold(project.id);
    if ((await pipelines.countOf(project.id, commit.id, MOST_PIPELINES)) >= MOST_PIPELINES) return TOO_MANY_PIPELINES;
    const jobs = plan.outcome === 'planned' ? plan.jobs.length : 0;
    if (jobs === 0) return undefined;
    return (await ciJobs.countGoingOn(project.id, MOST_GOING_ON)) + jobs > MOST_GOING_ON ? TOO_MANY_JOBS : undefined;
  }

  /** The pipelines of the project are held. */
  async #store(repositories: JobNeeds, prepared: Prepared): Promise<Pipeline> {
    const { project, commit, ref, tag, source, userId, beforeSha, protectedRef, variables, plan, skip } = prepared;
    const at = this.parts.clock.now();
    const { pipelines } = repositories;
    const pipeline = await pipelines.add({
      ...{ projectId: project.id, sha: commit.id, ref, tag, source, userId, createdAt: at, beforeSha },
      yamlErrors: plan.outcome === 'broken' ? plan.errors.join('\n') : null,
      sealedVariables: variables.length === 0 ? null : this.parts.box.seal(JSON.stringify(variables)),
    });
    const jobs = plan.outcome === 'planned' && !skip ? plan.jobs : [];
    if (jobs.length === 0) return settlePipeline(repositories, pipeline, { by: userId, at }, withoutJobs(skip));
    const common = { projectId: project.id, protectedRef, userId, createdAt: at };
    await addJobs(
      repositories,
      pipeline.id,
      jobs.map((definition) => ({ ...common, definition })),
    );
    return goOnWithPipeline(repositories, pipeline, { by: userId, at });
  }
}

const withoutJobs = (skip: boolean): PipelineStatus => (skip ? 'skipped' : 'failed');

const refusal = (...problems: readonly string[]): Invalid => new Invalid({ base: [...problems] });

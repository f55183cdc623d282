import {
  LONGEST_TIMEOUT_SECONDS,
  MOST_LOG_BYTES,
  ORDINARY_TIMEOUT_SECONDS,
  isAlive,
  type CiJob,
  type FailureReason,
} from '../../domain/pipelines/ci-job.js';
import type { CiRunner } from '../../domain/pipelines/ci-runner.js';
import type { CheckStatus } from '../../domain/pipelines/commit-status.js';
import type { Pipeline } from '../../domain/pipelines/pipeline.js';
import type { KnownEnvironment } from '../../domain/pipelines/job-environment.js';
import type { CiValue } from '../../domain/pipelines/predefined-variables.js';
import { Forbidden } from '../../domain/shared/domain-error.js';
import type { ProjectId, UserId } from '../../domain/shared/identifiers.js';
import type { User } from '../../domain/identity/user.js';
import type { Project } from '../../domain/workspace/namespace.js';
import type { Commit, ObjectReader } from '../repositories/ports/object-stores.js';
import type { RefReader } from '../repositories/ports/ref-reader.js';
import type { Clock } from '../shared/ports/clock.js';
import type { SecretBox, SecretDigester, SecretSource } from '../shared/ports/secrets.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { WorkspaceReader } from '../workspace/ports/workspace-readers.js';
import { endJob, type JobEnd } from './operations/end-job.js';
import { goOnWithPipeline, type JobNeeds } from './operations/go-on-with-pipeline.js';
import { isProtectedRef, type Protections } from './operations/ref-rights.js';
import type { JobWithArchive } from './ports/artifact-ports.js';
import type { CiJobReader, JobQueue, QueuedJob } from './ports/ci-job-ports.js';
import type { CiVariableSource, KeptVariable } from './ports/ci-variable-source.js';
import type { JobEnvironments } from './ports/job-environments.js';
import type { FindCoverage } from './ports/find-coverage.js';
import type { PipelineReader } from './ports/pipeline-ports.js';

/** A job that a runner was given, with all that it needs to know. */
export interface Assignment {
  readonly job: CiJob & { readonly startedAt: Date };
  /** What the runner says of the job is believed with it, and it reads the code of the project while the job runs. */
  readonly token: string;
  readonly timeoutSeconds: number;
  readonly pipeline: Pipeline;
  readonly project: Project;
  readonly commit: Commit;
  readonly user: Pick<User, 'id' | 'username' | 'name'>;
  readonly runner: CiRunner;
  /** Null where it is for none. */
  readonly environment: KnownEnvironment | null;
  /** What people keep for the jobs of the project. */
  readonly kept: readonly KeptVariable[];
  /** What whoever asked for the pipeline gave it. */
  readonly given: readonly CiValue[];
  /** Whose files it is given. */
  readonly dependencies: readonly JobWithArchive[];
}

/** What a runner says of a job that it was given. */
export type RunnerWord =
  | { readonly state: 'running' | 'success' }
  | { readonly state: 'failed'; readonly reason: FailureReason; readonly exitCode: number | null };

interface Parts {
  readonly unitOfWork: UnitOfWork<JobNeeds>;
  readonly reader: CiJobReader;
  readonly queue: JobQueue;
  readonly pipelines: Pick<PipelineReader, 'sealedVariablesOf'>;
  readonly workspace: Pick<WorkspaceReader, 'findProject'>;
  readonly refs: Pick<RefReader, 'findRepository'>;
  readonly objects: Pick<ObjectReader, 'commit'>;
  readonly protections: Protections;
  readonly variables: CiVariableSource;
  readonly environments: JobEnvironments;
  readonly findCoverage: FindCoverage;
  readonly dependenciesOf: (job: CiJob) => Promise<readonly JobWithArchive[]>;
  /** Undefined for who may not run jobs of the project any more. */
  readonly whoRuns: (id: UserId, projectId: ProjectId) => Promise<Pick<User, 'id' | 'username' | 'name'> | undefined>;
  readonly secrecy: { readonly secrets: SecretSource; readonly digester: SecretDigester; readonly box: SecretBox };
  readonly clock: Clock;
}

/** A job isn't this runner's any more: it has ended, or was never given to it. */
export class NotRunning extends Forbidden {
  constructor(readonly status: CheckStatus) {
    super('Job is not running');
  }
}

/** What a runner sent of a log doesn't go on where that ends. */
export class LogMismatch extends Error {
  constructor(
    readonly size: number,
    readonly status: CheckStatus,
  ) {
    super('The log does not go on there.');
  }
}

/** Others may be faster: so many are tried. */
const CANDIDATES = 20;
/** A runner that says nothing for so long is gone. */
const SILENCE_MS = 15 * 60_000;
/** For what a runner does after the end of a job's time. */
const GRACE_MS = 5 * 60_000;
const GIVEN_UP_AT_ONCE = 100;
/** Of a log: there coverage is looked for. */
const END_BYTES = 100_000;

/** What runners do: take jobs, write their logs, and say how they ended. */
export class RunJobs {
  constructor(private readonly parts: Parts) {}

  /** The job whose turn it is of those that fit (`JobQueue`); undefined where none waits. */
  async request(runner: CiRunner): Promise<Assignment | undefined> {
    if (runner.paused) return undefined;
    const problems: unknown[] = [];
    for await (const queued of this.parts.queue.waitingFor(runner, CANDIDATES)) {
      try {
        const assignment = await this.#offer(runner, queued);
        if (assignment !== undefined) return assignment;
      } catch (error) {
        if (error instanceof NotRunning) continue;
        problems.push(error);
        await this.#postpone(queued);
      }
    }
    if (problems.length > 0) throw problems[0];
    return undefined;
  }

  /** The job of a token, as it is now. @throws Forbidden for any other token. */
  async jobOf(id: number, token: string): Promise<CiJob> {
    const job = await this.jobOfToken(token);
    if (job.id !== id) throw new Forbidden();
    return job;
  }

  /** @throws Forbidden for a token of no job. */
  async jobOfToken(token: string): Promise<CiJob> {
    const job = await this.parts.reader.findByToken(this.parts.secrecy.digester.digest(token));
    if (job === undefined) throw new Forbidden();
    return job;
  }

  /** Of what is about to come from a runner. @throws NotRunning. */
  async requireRunning(job: CiJob): Promise<void> {
    await this.#requireOpen(job, this.parts.clock.now());
    if (job.status !== 'running') throw new NotRunning(job.status);
  }

  /** @throws NotRunning. */
  async tell(job: CiJob, word: RunnerWord): Promise<void> {
    const at = this.parts.clock.now();
    await this.#requireOpen(job, at);
    const coverage = word.state === 'running' ? null : await this.#coverageOf(job);
    await this.#whileHeld(job, async (repositories, held) => {
      if (held.status !== 'running') throw new NotRunning(held.status);
      if (word.state === 'running') return repositories.ciJobs.change(held.id, this.#heardOf(held, at));
      const end: JobEnd =
        word.state === 'failed'
          ? { status: 'failed', reason: word.reason, exitCode: word.exitCode }
          : { status: word.state };
      if (coverage !== null) await repositories.ciJobs.change(held.id, { coverage });
      await this.#end(repositories, held, end, at);
    });
  }

  /**
   * Adds to the end of a job's log; answers how long it is then. A log that grows beyond its bound ends the job.
   * @throws NotRunning; LogMismatch.
   */
  async appendLog(job: CiJob, start: number, content: Uint8Array): Promise<number> {
    const at = this.parts.clock.now();
    const size = start + content.length;
    await this.#requireOpen(job, at);
    if (size > MOST_LOG_BYTES) await this.#stop(job, 'trace_size_exceeded', at);
    return this.parts.unitOfWork.execute(async ({ ciJobs }) => {
      const held = await ciJobs.takeLog(job.id);
      if (held?.status !== 'running') throw new NotRunning(held?.status ?? 'canceled');
      if (held.logBytes !== start) throw new LogMismatch(held.logBytes, held.status);
      if (content.length > 0) await ciJobs.appendLog(held.id, start, content);
      await ciJobs.heardOf(held.id, this.#heardOf(held, at).givesUpAt);
      return size;
    });
  }

  /** Ends what waited too long for a runner, ran too long, or whose runner is gone; answers how many. */
  async giveUp(): Promise<number> {
    const at = this.parts.clock.now();
    const due = await this.parts.reader.givenUpBefore(at, GIVEN_UP_AT_ONCE);
    for (const job of due) await this.#giveUp(job, at);
    return due.length;
  }

  /** In hundredths of a percent, where the CI file says how the log tells it. */
  async #coverageOf({ id, definition, logBytes }: CiJob): Promise<number | null> {
    if (definition.coverage === null) return null;
    const parts: Uint8Array[] = [];
    for await (const part of this.parts.reader.log(id, Math.max(0, logBytes - END_BYTES))) parts.push(part);
    const found = this.parts.findCoverage(definition.coverage, Buffer.concat(parts).toString('utf8'));
    return found === null || found > 100 ? null : Math.round(found * 100);
  }

  async #giveUp(job: CiJob, at: Date): Promise<void> {
    try {
      await this.#whileHeld(job, async (repositories, held) => {
        if (held.givesUpAt === null || held.givesUpAt >= at) return;
        // Word of its runner may have come beside its end: it stays as it is.
        if (!isAlive(held.status)) return repositories.ciJobs.change(held.id, { givesUpAt: null, queued: false });
        await this.#end(repositories, held, { status: 'failed', reason: reasonOf(held, at), exitCode: null }, at);
      });
    } catch (error) {
      // It was removed meanwhile.
      if (!(error instanceof NotRunning)) throw error;
    }
  }

  /** One that can't be given now holds up no other: its turn comes again after theirs. */
  async #postpone({ id, projectId }: QueuedJob): Promise<void> {
    const queuedAt = this.parts.clock.now();
    await this.#whileHeld({ id, projectId }, async ({ ciJobs }, held) => {
      if (held.status === 'pending') await ciJobs.change(id, { queuedAt });
    });
  }

  async #offer(runner: CiRunner, { id, projectId }: QueuedJob): Promise<Assignment | undefined> {
    const found = await this.parts.reader.find(projectId, id);
    return found?.status === 'pending' ? this.#assign(runner, found, found.pipeline) : undefined;
  }

  async #assign(runner: CiRunner, job: CiJob, pipeline: Pipeline): Promise<Assignment | undefined> {
    const { workspace, refs, objects, variables, secrecy } = this.parts;
    const [project, repository] = [
      await workspace.findProject(job.projectId),
      await refs.findRepository(job.projectId),
    ];
    if (project === undefined || repository === undefined) return undefined;
    const user = job.userId === null ? undefined : await this.parts.whoRuns(job.userId, job.projectId);
    const commit = await objects.commit(repository.store, pipeline.sha);
    if (user === undefined) return this.#refuse(job, 'user_blocked');
    if (commit === undefined) return this.#refuse(job, 'data_integrity_failure');
    if (job.protectedRef && !(await isProtectedRef(this.parts.protections, project.id, pipeline))) {
      await this.#unprotect(job);
      if (runner.protectedOnly) return undefined;
      return this.#assign(runner, { ...job, protectedRef: false }, pipeline);
    }
    const environment = await this.#environmentOf(job);
    if (environment === undefined) return this.#refuse(job, 'environment_creation_failure');
    const named = environment && { environment: environment.name };
    const kept = await variables.variablesFor(project.id, { protectedRef: job.protectedRef, ...named });
    const given = await this.#givenTo(pipeline);
    const dependencies = await this.parts.dependenciesOf(job);
    const token = secrecy.secrets.token();
    const timeoutSeconds = timeoutOf(job, runner);
    const begun = await this.#begin(job, runner, { token, timeoutSeconds });
    const around = { pipeline, project, commit, user, runner, environment, kept, given, dependencies };
    return begun && { job: begun, token, timeoutSeconds, ...around };
  }

  /** Null where it is for none; undefined where none could be made of what its file says. */
  async #environmentOf({ id, definition }: CiJob): Promise<KnownEnvironment | null | undefined> {
    return definition.options.environment === null ? null : this.parts.environments.ofJob(id);
  }

  async #givenTo({ id }: Pipeline): Promise<readonly CiValue[]> {
    const sealed = await this.parts.pipelines.sealedVariablesOf(id);
    return sealed === null ? [] : (JSON.parse(this.parts.secrecy.box.open(sealed)) as CiValue[]);
  }

  /** Undefined where another runner was faster, or somebody canceled it. */
  async #begin(job: CiJob, runner: CiRunner, { token, timeoutSeconds }: Pick<Assignment, 'token' | 'timeoutSeconds'>) {
    const at = this.parts.clock.now();
    const givesUpAt = earlier(after(at, timeoutSeconds * 1_000 + GRACE_MS), after(at, SILENCE_MS));
    const tokenDigest = this.parts.secrecy.digester.digest(token);
    const taken = { runnerId: runner.id, startedAt: at, timeoutSeconds };
    const change = { ...taken, status: 'running', queued: false, givesUpAt } as const;
    let begun: Assignment['job'] | undefined;
    await this.#whileHeld(job, async (repositories, held, pipeline) => {
      // Somebody may have paused it meanwhile, or taken it away.
      const taker = await repositories.ciRunners.take(runner.id);
      if (held.status !== 'pending' || taker?.paused !== false) return;
      await repositories.ciJobs.change(held.id, { ...change, tokenDigest });
      await goOnWithPipeline(repositories, pipeline, { by: byOf(held, pipeline), at });
      begun = { ...held, ...taken, status: 'running' };
    });
    return begun;
  }

  /** Ends a job that runs where its project is archived. @throws NotRunning, then. */
  async #requireOpen(job: CiJob, at: Date): Promise<void> {
    const project = await this.parts.workspace.findProject(job.projectId);
    if (project?.archived === true) await this.#stop(job, 'archived_failure', at);
  }

  /** Ends a job that may not run on. @throws NotRunning. */
  async #stop(job: CiJob, reason: FailureReason, at: Date): Promise<never> {
    let { status } = job;
    await this.#whileHeld(job, async (repositories, held) => {
      ({ status } = held);
      if (status !== 'running') return;
      await this.#end(repositories, held, { status: 'failed', reason, exitCode: null }, at);
      status = 'failed';
    });
    throw new NotRunning(status);
  }

  /** Its branch or tag isn't protected any more: the job is as others from now on, and so is whatever runs in its place. */
  async #unprotect(job: CiJob): Promise<void> {
    await this.#whileHeld(job, ({ ciJobs }, held) => ciJobs.change(held.id, { protectedRef: false }));
  }

  async #refuse(job: CiJob, reason: FailureReason): Promise<undefined> {
    const at = this.parts.clock.now();
    await this.#whileHeld(job, async (repositories, held) => {
      if (held.status === 'pending')
        await this.#end(repositories, held, { status: 'failed', reason, exitCode: null }, at);
    });
  }

  async #end(repositories: JobNeeds, job: CiJob, end: JobEnd, at: Date): Promise<void> {
    await endJob(repositories, job, end, at);
    const pipeline = await repositories.pipelines.find(job.pipelineId);
    if (pipeline !== undefined) await goOnWithPipeline(repositories, pipeline, { by: byOf(job, pipeline), at });
  }

  async #whileHeld(
    { id, projectId }: QueuedJob,
    work: (repositories: JobNeeds, job: CiJob, pipeline: Pipeline) => Promise<void>,
  ): Promise<void> {
    await this.parts.unitOfWork.execute(async (repositories) => {
      await repositories.pipelines.hold(projectId);
      const job = await repositories.ciJobs.find(id);
      const pipeline = job && (await repositories.pipelines.find(job.pipelineId));
      if (job === undefined || pipeline === undefined) throw new NotRunning('canceled');
      await work(repositories, job, pipeline);
    });
  }

  #heardOf(job: CiJob, at: Date): { readonly givesUpAt: Date } {
    const ends = after(job.startedAt ?? at, allowedMs(job) + GRACE_MS);
    return { givesUpAt: earlier(ends, after(at, SILENCE_MS)) };
  }
}

const after = (at: Date, ms: number): Date => new Date(at.getTime() + ms);
const earlier = (one: Date, other: Date): Date => (one < other ? one : other);

const timeoutOf = ({ definition }: CiJob, { maximumTimeout }: CiRunner): number =>
  Math.min(definition.timeoutSeconds ?? ORDINARY_TIMEOUT_SECONDS, maximumTimeout ?? LONGEST_TIMEOUT_SECONDS);

/** How long a job that was taken may run. */
const allowedMs = ({ timeoutSeconds }: CiJob): number => (timeoutSeconds ?? ORDINARY_TIMEOUT_SECONDS) * 1_000;

/** Why a job is given up. */
const reasonOf = (job: CiJob, at: Date): FailureReason => {
  const { status, startedAt } = job;
  if (status !== 'running' || startedAt === null) return 'stuck_or_timeout_failure';
  const ranMs = at.getTime() - startedAt.getTime();
  return ranMs > allowedMs(job) ? 'job_execution_timeout' : 'runner_system_failure';
};

const byOf = ({ userId }: CiJob, pipeline: Pipeline): UserId | null => userId ?? pipeline.userId;

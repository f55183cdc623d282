import {
  LONGEST_TIMEOUT_SECONDS,
  ORDINARY_TIMEOUT_SECONDS,
  type CiJob,
  type FailureReason,
} from '../../domain/pipelines/ci-job.js';
import type { CiRunner } from '../../domain/pipelines/ci-runner.js';
import { isDebugged } from '../../domain/pipelines/debug-log.js';
import { deadlineOf } from '../../domain/pipelines/job-deadline.js';
import type { CiEnvironment } from '../../domain/pipelines/ci-file/ci-config.js';
import type { KnownEnvironment } from '../../domain/pipelines/job-environment.js';
import { codeRefOf, type Pipeline } from '../../domain/pipelines/pipeline.js';
import { toldBy } from '../../domain/pipelines/given-files.js';
import type { CiValue } from '../../domain/pipelines/predefined-variables.js';
import type { ProjectId, UserId } from '../../domain/shared/identifiers.js';
import type { User } from '../../domain/identity/user.js';
import type { Project } from '../../domain/workspace/namespace.js';
import { isFeatureOn } from '../../domain/workspace/project-features.js';
import type { Commit, ObjectReader } from '../repositories/ports/object-stores.js';
import type { RefReader } from '../repositories/ports/ref-reader.js';
import type { PermittedProject } from '../shared/permitted.js';
import type { Clock } from '../shared/ports/clock.js';
import type { SecretBox, SecretDigester, SecretSource } from '../shared/ports/secrets.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { WorkspaceReader } from '../workspace/ports/workspace-readers.js';
import { tellOfJobs } from './operations/add-jobs.js';
import { goOnWithPipeline, type JobNeeds } from './operations/go-on-with-pipeline.js';
import { byOf, endHeldJob, NotRunning, whileJobHeld } from './operations/held-job.js';
import { isProtectedRef, mayRunFor, type Protections } from './operations/ref-rights.js';
import type { MergeRequestsOfPipelines } from './merge-requests-of-pipelines.js';
import type { CiFiles } from './ci-files.js';
import type { FilesElsewhere } from './files-elsewhere.js';
import type { JobWithArchive } from './ports/artifact-ports.js';
import type { CiJobReader, JobQueue, QueuedJob } from './ports/ci-job-ports.js';
import type { CiVariableSource, KeptVariable } from './ports/ci-variable-source.js';
import type { JobEnvironments } from './ports/job-environments.js';

/** For whom a job runs. */
type RunFor = Pick<User, 'id' | 'username' | 'name'> & { readonly email: string | null };

/** Who runs jobs of a project, with the rights that they have there now. */
interface WhoRuns {
  readonly user: RunFor & Pick<User, 'admin'>;
  readonly place: PermittedProject<'run_pipelines'>;
}

/** A job that a runner was given, with all that it needs to know. */
export interface Assignment {
  readonly job: CiJob & { readonly startedAt: Date };
  /** What the runner says of the job is believed with it, and it reads the code of the project while the job runs. */
  readonly token: string;
  readonly timeoutSeconds: number;
  readonly pipeline: Pipeline;
  readonly project: Project;
  readonly commit: Commit;
  /** Of the CI file of the commit. */
  readonly configPath: string;
  readonly user: RunFor;
  readonly runner: CiRunner;
  /** Null where it is for none. */
  readonly environment: KnownEnvironment | null;
  /** What it is told of merge requests. */
  readonly ofMergeRequests: readonly CiValue[];
  /** What people keep for the jobs of the project. */
  readonly kept: readonly KeptVariable[];
  /** What whoever asked for the pipeline gave it, and then whoever began the job by hand. */
  readonly given: readonly CiValue[];
  /** What jobs before it told it in their reports. */
  readonly told: readonly CiValue[];
  /** Whose files it is given. */
  readonly dependencies: readonly JobWithArchive[];
}

/** What jobs before it left for a job. */
interface LeftForJobs {
  dependenciesOf(job: CiJob): Promise<readonly JobWithArchive[]>;
  variablesFor(job: CiJob): Promise<readonly CiValue[]>;
}

type Beginning = Pick<Assignment, 'token' | 'timeoutSeconds'> & Pick<CiJob, 'debug'>;

interface Parts {
  readonly unitOfWork: UnitOfWork<JobNeeds>;
  readonly reader: Pick<CiJobReader, 'find' | 'sealedVariablesFor'>;
  readonly queue: JobQueue;
  readonly workspace: Pick<WorkspaceReader, 'findProject'>;
  readonly refs: Pick<RefReader, 'findRepository'>;
  readonly objects: Pick<ObjectReader, 'commit'>;
  readonly files: Pick<CiFiles, 'pathAt'>;
  readonly protections: Protections;
  readonly variables: CiVariableSource;
  readonly mergeRequests: Pick<MergeRequestsOfPipelines, 'variablesOfPipeline'>;
  readonly environments: JobEnvironments;
  readonly left: LeftForJobs;
  readonly elsewhere: Pick<FilesElsewhere, 'of'>;
  /** Undefined for who may not run jobs of the project any more. */
  readonly whoRuns: (id: UserId, projectId: ProjectId) => Promise<WhoRuns | undefined>;
  readonly secrecy: { readonly secrets: SecretSource; readonly digester: SecretDigester; readonly box: SecretBox };
  readonly clock: Clock;
}

/** Others may be faster: so many are tried. */
const CANDIDATES = 20;

/** Gives jobs that wait to the runners that ask for one. */
export class GiveJobs {
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

  /** One that can't be given now holds up no other: its turn comes again after theirs. */
  async #postpone({ id, projectId }: QueuedJob): Promise<void> {
    const queuedAt = this.parts.clock.now();
    await whileJobHeld(this.parts.unitOfWork, { id, projectId }, async ({ ciJobs }, held) => {
      if (held.status === 'pending') await ciJobs.change(id, { queuedAt });
    });
  }

  async #offer(runner: CiRunner, { id, projectId }: QueuedJob): Promise<Assignment | undefined> {
    const found = await this.parts.reader.find(projectId, id);
    return found?.status === 'pending' ? this.#assign(runner, found, found.pipeline) : undefined;
  }

  async #assign(runner: CiRunner, job: CiJob, pipeline: Pipeline): Promise<Assignment | undefined> {
    const { workspace, refs, objects, secrecy } = this.parts;
    const [project, repository] = [
      await workspace.findProject(job.projectId),
      await refs.findRepository(job.projectId),
    ];
    // Somebody may have switched it off since the job was found.
    if (project === undefined || repository === undefined || !isFeatureOn(project, 'builds')) return undefined;
    const user = await this.#whoRuns(job, pipeline);
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
    const kept = await this.#keptFor(job, environment);
    const given = await this.#givenTo(job);
    const ofMergeRequests = await this.parts.mergeRequests.variablesOfPipeline(pipeline, user.id);
    const leaving = await this.#leftFor(job);
    if (leaving === undefined) return this.#refuse(job, 'missing_dependency_failure');
    const token = secrecy.secrets.token();
    const timeoutSeconds = timeoutOf(job, runner);
    const debug = isDebugged([...job.definition.variables, ...leaving.told, ...kept, ...given]);
    const begun = await this.#begin(job, runner, { token, timeoutSeconds, debug });
    const configPath = await this.parts.files.pathAt({
      store: repository.store,
      commit,
      configPath: pipeline.configPath,
    });
    const values = { configPath, ofMergeRequests, kept, given, ...leaving };
    return (
      begun && { job: begun, token, timeoutSeconds, pipeline, project, commit, user, runner, environment, ...values }
    );
  }

  #keptFor({ projectId, protectedRef }: CiJob, environment: KnownEnvironment | null) {
    const named = environment && { environment: environment.name };
    return this.parts.variables.variablesFor(projectId, { protectedRef, ...named });
  }

  /** Undefined where something isn't there that it needs of another project. */
  async #leftFor(job: CiJob): Promise<Pick<Assignment, 'dependencies' | 'told'> | undefined> {
    const { left, elsewhere } = this.parts;
    const found = await elsewhere.of(job);
    if (found === undefined) return undefined;
    return {
      dependencies: [...(await left.dependenciesOf(job)), ...found.archives],
      told: toldBy([{ variables: await left.variablesFor(job) }, { variables: found.told }]),
    };
  }

  /** Undefined for who may not have it run any more: their rights may be fewer than when it was made. */
  async #whoRuns({ userId, projectId }: CiJob, pipeline: Pipeline): Promise<RunFor | undefined> {
    const found = userId === null ? undefined : await this.parts.whoRuns(userId, projectId);
    if (found === undefined) return undefined;
    const { user, place } = found;
    return (await mayRunFor(this.parts.protections, place, user, codeRefOf(pipeline))) ? user : undefined;
  }

  /**
   * Null where it is for none; undefined where there is none to stop, or none can be made of what its file says. Whoever gives it another name
   * while the job waits does not give the job what is kept for that name.
   */
  async #environmentOf(job: CiJob): Promise<KnownEnvironment | null | undefined> {
    const said = job.definition.options.environment;
    if (said === null) return null;
    const known = await this.#known(job, said);
    return known && { ...known, name: said.name };
  }

  async #known(job: CiJob, said: CiEnvironment): Promise<KnownEnvironment | undefined> {
    const { environments, unitOfWork, clock } = this.parts;
    const known = await environments.ofJob(job.id);
    // Nobody makes one only to stop it.
    if (known !== undefined || said.action === 'stop') return known;
    // Somebody may have removed it while the job waited.
    await whileJobHeld(unitOfWork, job, async (repositories, held) => {
      if (held.status === 'pending') await tellOfJobs(repositories, [held], clock.now());
    });
    return environments.ofJob(job.id);
  }

  async #givenTo({ id }: CiJob): Promise<readonly CiValue[]> {
    const sealed = await this.parts.reader.sealedVariablesFor(id);
    return sealed.flatMap((each) => JSON.parse(this.parts.secrecy.box.open(each)) as CiValue[]);
  }

  /** Undefined where another runner was faster, or somebody canceled it. */
  async #begin(job: CiJob, runner: CiRunner, { token, timeoutSeconds, debug }: Beginning) {
    const at = this.parts.clock.now();
    const tokenDigest = this.parts.secrecy.digester.digest(token);
    const taken = { runnerId: runner.id, startedAt: at, timeoutSeconds, debug };
    const givesUpAt = deadlineOf(taken, at);
    const change = { ...taken, status: 'running', queued: false, givesUpAt } as const;
    let begun: Assignment['job'] | undefined;
    await whileJobHeld(this.parts.unitOfWork, job, async (repositories, held, pipeline) => {
      // Somebody may have paused it meanwhile, or taken it away; the project may be elsewhere, with other variables.
      const taker = await repositories.ciRunners.take(runner.id);
      if (held.status !== 'pending' || taker?.paused !== false) return;
      if (!(await repositories.ciRunners.takesJobsOf(taker, held.projectId))) return;
      await repositories.ciJobs.change(held.id, { ...change, tokenDigest });
      await goOnWithPipeline(repositories, pipeline, { by: byOf(held, pipeline), at });
      begun = { ...held, ...taken, status: 'running' };
    });
    return begun;
  }

  /** Its branch or tag isn't protected any more: the job is as others from now on, and so is whatever runs in its place. */
  async #unprotect(job: CiJob): Promise<void> {
    await whileJobHeld(this.parts.unitOfWork, job, ({ ciJobs }, held) =>
      ciJobs.change(held.id, { protectedRef: false }),
    );
  }

  async #refuse(job: CiJob, reason: FailureReason): Promise<undefined> {
    const at = this.parts.clock.now();
    await whileJobHeld(this.parts.unitOfWork, job, async (repositories, held) => {
      if (held.status === 'pending')
        await endHeldJob(repositories, held, { status: 'failed', reason, exitCode: null }, at);
    });
  }
}

const timeoutOf = ({ definition }: CiJob, { maximumTimeout }: CiRunner): number =>
  Math.min(definition.timeoutSeconds ?? ORDINARY_TIMEOUT_SECONDS, maximumTimeout ?? LONGEST_TIMEOUT_SECONDS);

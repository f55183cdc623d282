import { isAlive, MOST_LOG_BYTES, type CiJob, type FailureReason } from '../../domain/pipelines/ci-job.js';
import type { CheckStatus } from '../../domain/pipelines/commit-status.js';
import { deadlineOf, reasonOf } from '../../domain/pipelines/job-deadline.js';
import { Forbidden } from '../../domain/shared/domain-error.js';
import type { UserId } from '../../domain/shared/identifiers.js';
import type { UserActor } from '../shared/actor.js';
import type { Clock } from '../shared/ports/clock.js';
import type { SecretDigester } from '../shared/ports/secrets.js';
import { together } from '../shared/together.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { WorkspaceReader } from '../workspace/ports/workspace-readers.js';
import type { JobEnd } from './operations/end-job.js';
import type { JobNeeds } from './operations/go-on-with-pipeline.js';
import { endHeldJob, NotRunning, whileJobHeld } from './operations/held-job.js';
import type { CiJobReader } from './ports/ci-job-ports.js';
import type { FindCoverage } from './ports/find-coverage.js';

/** What a runner says of a job that it was given. */
export type RunnerWord =
  | { readonly state: 'running' | 'success' }
  | { readonly state: 'failed'; readonly reason: FailureReason; readonly exitCode: number | null };

interface Parts {
  readonly unitOfWork: UnitOfWork<JobNeeds>;
  readonly reader: CiJobReader;
  readonly workspace: Pick<WorkspaceReader, 'findProject'>;
  /** Undefined for who may not sign in any more. */
  readonly actorOf: (userId: UserId) => Promise<UserActor | undefined>;
  readonly findCoverage: FindCoverage;
  readonly digester: SecretDigester;
  readonly clock: Clock;
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

const GIVEN_UP_AT_ONCE = 100;
/** Of a log: there coverage is looked for. */
const END_BYTES = 100_000;

/** What runners say of the jobs that they were given, and what becomes of those of which nothing is heard. */
export class RunJobs {
  constructor(private readonly parts: Parts) {}

  /** The job of a token, as it is now. @throws Forbidden for any other token. */
  async jobOf(id: number, token: string): Promise<CiJob> {
    const job = await this.jobOfToken(token);
    if (job.id !== id) throw new Forbidden();
    return job;
  }

  /** @throws Forbidden for a token of no job. */
  async jobOfToken(token: string): Promise<CiJob> {
    const job = await this.parts.reader.findByToken(this.parts.digester.digest(token));
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
    await whileJobHeld(this.parts.unitOfWork, job, async (repositories, held) => {
      if (held.status !== 'running') throw new NotRunning(held.status);
      if (word.state === 'running') return repositories.ciJobs.change(held.id, { givesUpAt: deadlineOf(held, at) });
      const end: JobEnd =
        word.state === 'failed'
          ? { status: 'failed', reason: word.reason, exitCode: word.exitCode }
          : { status: word.state };
      if (coverage !== null) await repositories.ciJobs.change(held.id, { coverage });
      await endHeldJob(repositories, held, end, at);
    });
  }

  /**
   * Adds to the end of a job's log; answers how long it is then. A log that grows beyond its bound ends the job.
   * @param debug whether its runner says that it tells the variables of the job.
   * @throws NotRunning; LogMismatch.
   */
  async appendLog(job: CiJob, start: number, content: Uint8Array, debug = false): Promise<number> {
    const at = this.parts.clock.now();
    const size = start + content.length;
    await this.#requireOpen(job, at);
    const kept = await this.parts.unitOfWork.execute(async ({ ciJobs }) => {
      const held = await ciJobs.takeLog(job.id);
      if (held?.status !== 'running') throw new NotRunning(held?.status ?? 'canceled');
      if (held.logBytes !== start) throw new LogMismatch(held.logBytes, held.status);
      if (size > MOST_LOG_BYTES) return false;
      if (content.length > 0) await ciJobs.appendLog(held.id, { start, content, writtenAt: at, debug });
      await ciJobs.heardOf(held.id, deadlineOf(held, at));
      return true;
    });
    return kept ? size : this.#stop(job, 'trace_size_exceeded', at);
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
      await whileJobHeld(this.parts.unitOfWork, job, async (repositories, held) => {
        if (held.givesUpAt === null || held.givesUpAt >= at) return;
        // Word of its runner may have come beside its end: it stays as it is.
        if (!isAlive(held.status)) return repositories.ciJobs.change(held.id, { givesUpAt: null, queued: false });
        await endHeldJob(repositories, held, { status: 'failed', reason: reasonOf(held, at), exitCode: null }, at);
      });
    } catch (error) {
      // It was removed meanwhile.
      if (!(error instanceof NotRunning)) throw error;
    }
  }

  /** Ends a job that runs where its project is archived, or whoever it runs for is blocked or gone. @throws NotRunning, then. */
  async #requireOpen(job: CiJob, at: Date): Promise<void> {
    const [project, actor] = await together([
      this.parts.workspace.findProject(job.projectId),
      job.userId === null ? Promise.resolve(undefined) : this.parts.actorOf(job.userId),
    ]);
    if (project?.archived === true) await this.#stop(job, 'archived_failure', at);
    if (actor === undefined) await this.#stop(job, 'user_blocked', at);
  }

  /** Ends a job that may not run on. @throws NotRunning. */
  async #stop(job: CiJob, reason: FailureReason, at: Date): Promise<never> {
    let { status } = job;
    await whileJobHeld(this.parts.unitOfWork, job, async (repositories, held) => {
      ({ status } = held);
      if (status !== 'running') return;
      await endHeldJob(repositories, held, { status: 'failed', reason, exitCode: null }, at);
      status = 'failed';
    });
    throw new NotRunning(status);
  }
}

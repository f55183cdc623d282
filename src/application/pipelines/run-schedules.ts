import {
  LEAST_BETWEEN_PLAYS_MS,
  LEAST_BETWEEN_RUNS_MS,
  nextRunAfter,
  type PipelineSchedule,
  type WhyStopped,
} from '../../domain/pipelines/pipeline-schedule.js';
import type { Pipeline } from '../../domain/pipelines/pipeline.js';
import { SCHEDULE_DESCRIPTION, type CiValue } from '../../domain/pipelines/predefined-variables.js';
import { branchRef, tagRef } from '../../domain/repositories/ref-name.js';
import {
  Archived,
  Conflict,
  Forbidden,
  NotFound,
  SwitchedOff,
  TooManyRequests,
} from '../../domain/shared/domain-error.js';
import type { ProjectId, UserId } from '../../domain/shared/identifiers.js';
import type { UserActor } from '../shared/actor.js';
import type { Permitted } from '../shared/permitted.js';
import type { Clock } from '../shared/ports/clock.js';
import type { SecretBox } from '../shared/ports/secrets.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { CreatePipelines, WantedPipeline } from './create-pipelines.js';
import { PipelineRefused } from './pipeline-refused.js';
import type { AfterRun, CronTimes, ScheduleReader, ScheduleRepositories } from './ports/schedule-ports.js';

interface Parts {
  readonly unitOfWork: UnitOfWork<ScheduleRepositories>;
  readonly reader: Pick<ScheduleReader, 'dueBefore' | 'givenBy'>;
  readonly createPipelines: Pick<CreatePipelines, 'create'>;
  /** Somebody with the rights that they have now; undefined for who may not sign in any more. */
  readonly ownerBy: (id: UserId) => Promise<UserActor | undefined>;
  /** @throws NotFound; Forbidden; Archived. */
  readonly enter: (owner: UserActor, projectId: ProjectId) => Promise<Permitted<'run_pipelines'>>;
  readonly times: CronTimes;
  readonly box: SecretBox;
  readonly clock: Clock;
}

/** The schedule was changed meanwhile, or the run took so long that another node began it anew. */
class TakenElsewhere extends Error {}

/** One whose run this node has to itself until `nextRunAt`. */
interface TakenSchedule extends PipelineSchedule {
  readonly takenAt: Date;
}

const AT_ONCE = 100;
/** What is still due then comes at the next time. */
const MOST_BATCHES = 10;
const MAX_PROBLEM = 1_000;
const CHANGED = 'The schedule was changed meanwhile. Please try again.';
const PLAYED = 'You cannot play this scheduled pipeline at the moment. Please wait a minute.';

/** Makes the pipelines of schedules: when they are due, and by hand. */
export class RunSchedules {
  constructor(private readonly parts: Parts) {}

  /**
   * Runs those whose time has come, each once, however many of its times were missed. Answers how many there were.
   * @throws the first of what kept one from being run that may be otherwise later: it is tried again some minutes later.
   */
  async runDue(stopping?: AbortSignal): Promise<number> {
    const problems: unknown[] = [];
    const stops = (): boolean => stopping?.aborted === true;
    let count = 0;
    for (let batch = 0; batch < MOST_BATCHES && !stops(); batch += 1) {
      const due = await this.parts.reader.dueBefore(this.parts.clock.now(), AT_ONCE);
      for (const schedule of due) {
        if (stops()) break;
        if (await this.#takeAndRun(schedule, problems)) count += 1;
      }
      if (due.length < AT_ONCE) break;
    }
    if (problems.length > 0) throw problems[0];
    return count;
  }

  /**
   * Runs one now, in the name and with the rights of whoever asks.
   * @throws PipelineRefused for what can't be run; Forbidden for who may not run it; TooManyRequests within a minute;
   *   Conflict where it was changed while it was read.
   */
  async play(actor: UserActor, runner: Permitted<'run_pipelines'>, schedule: PipelineSchedule): Promise<Pipeline> {
    const at = this.parts.clock.now();
    const since = new Date(at.getTime() - LEAST_BETWEEN_PLAYS_MS);
    const tooSoon = () => new TooManyRequests(LEAST_BETWEEN_PLAYS_MS / 1_000, PLAYED);
    // Before anything is read of the code; another may still come first.
    if (schedule.lastPlayedAt !== null && schedule.lastPlayedAt > since) throw tooSoon();
    const take = async ({ pipelineSchedules }: ScheduleRepositories): Promise<void> => {
      if (await pipelineSchedules.play(schedule, at, since)) return;
      const found = await pipelineSchedules.find(schedule.projectId, schedule.id);
      // Else the branch of one time could be given the variables of another.
      throw found?.updatedAt.getTime() === schedule.updatedAt.getTime() ? tooSoon() : new Conflict(CHANGED);
    };
    try {
      return await this.parts.createPipelines.create(actor, runner, await this.#wanted(schedule, take));
    } catch (error) {
      if (error instanceof PipelineRefused && error.why === 'no_rights')
        throw new Forbidden(error.problems['base']?.[0]);
      throw error;
    }
  }

  /**
   * It is taken before anything is read of the code, which only one node is to do. A run that fails for another reason than its own, or
   * never ends, is begun anew when its time is over. False where another node took it, or the schedule was changed.
   * @param problems to which what went wrong is added.
   */
  async #takeAndRun(schedule: PipelineSchedule, problems: unknown[]): Promise<boolean> {
    const takenAt = this.parts.clock.now();
    const taken = { ...schedule, takenAt, nextRunAt: new Date(takenAt.getTime() + LEAST_BETWEEN_RUNS_MS) };
    try {
      if (!(await this.#goOn(schedule, taken))) return false;
      await this.#run(taken);
    } catch (error) {
      problems.push(error);
    }
    return true;
  }

  async #run(schedule: TakenSchedule): Promise<void> {
    const owner = schedule.ownerId === null ? undefined : await this.parts.ownerBy(schedule.ownerId);
    if (owner === undefined) return this.#stop(schedule, 'owner_gone');
    const place = await this.#enter(owner, schedule);
    if (place === 'not_now') return void (await this.#goOn(schedule, this.#after(schedule, null)));
    if (place === undefined) return this.#stop(schedule, 'owner_may_not');
    const take = async ({ pipelineSchedules }: ScheduleRepositories): Promise<void> => {
      if (!(await pipelineSchedules.takeRun(schedule, this.#after(schedule, null)))) throw new TakenElsewhere();
    };
    try {
      await this.parts.createPipelines.create(owner, place, await this.#wanted(schedule, take));
    } catch (error) {
      if (error instanceof TakenElsewhere) return;
      if (!(error instanceof PipelineRefused)) throw error;
      await this.#refused(schedule, error);
    }
  }

  async #refused(schedule: TakenSchedule, { why, problems }: PipelineRefused): Promise<void> {
    if (why === 'no_ref') return this.#stop(schedule, 'ref_gone');
    if (why === 'no_rights') return this.#stop(schedule, 'owner_may_not');
    const problem = (problems['base'] ?? []).join('\n').slice(0, MAX_PROBLEM);
    await this.#goOn(schedule, this.#after(schedule, problem));
  }

  async #enter(owner: UserActor, { projectId }: PipelineSchedule) {
    try {
      return await this.parts.enter(owner, projectId);
    } catch (error) {
      if (error instanceof Archived || error instanceof SwitchedOff) return 'not_now';
      if (error instanceof NotFound || error instanceof Forbidden) return undefined;
      throw error;
    }
  }

  async #wanted(
    { id, ref, tag, description }: PipelineSchedule,
    take: (repositories: ScheduleRepositories) => Promise<void>,
  ): Promise<WantedPipeline> {
    const { sealedVariables: sealed, inputs } = await this.parts.reader.givenBy(id);
    return {
      ref: tag ? tagRef(ref) : branchRef(ref),
      source: 'schedule',
      variables: sealed === null ? [] : (JSON.parse(this.parts.box.open(sealed)) as CiValue[]),
      inputs,
      told: [{ key: SCHEDULE_DESCRIPTION, value: description, raw: true }],
      schedule: { id, take },
    };
  }

  #after({ cron, cronTimezone, active, takenAt }: TakenSchedule, lastProblem: string | null): AfterRun {
    const next = this.parts.times.next(cron, cronTimezone, nextRunAfter(takenAt));
    return { active, nextRunAt: next ?? null, stoppedBecause: null, lastProblem };
  }

  async #stop(schedule: TakenSchedule, stoppedBecause: WhyStopped): Promise<void> {
    await this.#goOn(schedule, { active: false, nextRunAt: null, stoppedBecause, lastProblem: null });
  }

  /** False where it isn't as it was read. */
  #goOn(schedule: PipelineSchedule, after: AfterRun): Promise<boolean> {
    const { active, nextRunAt, stoppedBecause, lastProblem } = after;
    return this.parts.unitOfWork.execute(({ pipelineSchedules }) =>
      pipelineSchedules.takeRun(schedule, { active, nextRunAt, stoppedBecause, lastProblem }),
    );
  }
}

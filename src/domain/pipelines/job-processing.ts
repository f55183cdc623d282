import type { JobWhen } from './ci-job.js';
import type { CheckStatus } from './commit-status.js';
import { statusOfAll, STATUSES_GOING_ON, type PipelineStatus, type StandingCheck } from './pipeline.js';

/** A job, as far as it decides what begins next. */
export interface WaitingJob extends StandingCheck {
  readonly id: number;
  readonly name: string;
  readonly stageIndex: number;
  readonly when: JobWhen;
  /** Names of the jobs that it waits for; null where it waits for all earlier stages. */
  readonly needs: readonly string[] | null;
  /** What of its project it shares with others, one at a time. */
  readonly resourceGroup: string | null;
  /** Whether it starts a pipeline, and is no runner's. */
  readonly bridge: boolean;
  /** How long after those before it one begins that is `delayed`. */
  readonly startInSeconds: number | null;
}

type NextStatus = 'pending' | 'manual' | 'scheduled' | 'skipped';

const AFTER_SUCCESS: ReadonlySet<PipelineStatus> = new Set<PipelineStatus>(['success']);
/** A stage whose jobs were all left out holds nobody up. */
const AFTER_STAGE: ReadonlySet<PipelineStatus> = new Set<PipelineStatus>(['success', 'skipped']);
const AFTER_FAILURE: ReadonlySet<PipelineStatus> = new Set<PipelineStatus>(['failed']);
const AFTER_ANY: ReadonlySet<PipelineStatus> = new Set<PipelineStatus>(['success', 'failed', 'skipped']);
const ENDS: ReadonlySet<PipelineStatus> = new Set<PipelineStatus>(['success', 'failed', 'skipped', 'canceled']);

const GOING_ON: ReadonlySet<CheckStatus> = new Set(STATUSES_GOING_ON);

const beginsAfter = ({ when, needs }: WaitingJob): ReadonlySet<PipelineStatus> => {
  if (when === 'always') return AFTER_ANY;
  if (when === 'on_failure') return AFTER_FAILURE;
  return needs === null ? AFTER_STAGE : AFTER_SUCCESS;
};

/** Undefined while what it waits for goes on. */
const nextOf = (job: WaitingJob, before: PipelineStatus): NextStatus | undefined => {
  if (!ENDS.has(before)) return undefined;
  if (!beginsAfter(job).has(before)) return 'skipped';
  if (job.when === 'delayed') return 'scheduled';
  return job.when === 'manual' ? 'manual' : 'pending';
};

/** How jobs stand while it is found out what begins: by their names, and by their stages. */
class Standing {
  readonly #now: Map<number, CheckStatus>;
  readonly #byName = new Map<string, WaitingJob[]>();
  readonly #stages = new Map<number, PipelineStatus>();

  constructor(private readonly jobs: readonly WaitingJob[]) {
    this.#now = new Map(jobs.map(({ id, status }) => [id, status]));
    for (const job of jobs) this.#byName.set(job.name, [...(this.#byName.get(job.name) ?? []), job]);
  }

  isWaiting({ id }: WaitingJob): boolean {
    return this.#now.get(id) === 'created';
  }

  become({ id }: WaitingJob, status: NextStatus): void {
    this.#now.set(id, status);
    this.#stages.clear();
  }

  /** What comes before a job; what nothing comes before may begin. */
  before({ needs, stageIndex, when }: WaitingJob): PipelineStatus {
    return needs === null ? this.#earlier(stageIndex) : this.#needed(needs, when);
  }

  #earlier(stageIndex: number): PipelineStatus {
    const known = this.#stages.get(stageIndex);
    if (known !== undefined) return known;
    const found = this.#together(this.jobs.filter((job) => job.stageIndex < stageIndex));
    this.#stages.set(stageIndex, found);
    return found;
  }

  #needed(names: readonly string[], when: JobWhen): PipelineStatus {
    const needed = names.flatMap((name) => this.#byName.get(name) ?? []);
    const statuses = needed.map(({ id }) => this.#now.get(id)!);
    if (!statuses.includes('skipped')) return this.#together(needed);
    // One that was left out made nothing that could be built upon; what is done always still comes last.
    return when === 'always' && statuses.some((status) => GOING_ON.has(status)) ? 'running' : 'skipped';
  }

  #together(jobs: readonly WaitingJob[]): PipelineStatus {
    if (jobs.length === 0) return 'success';
    return statusOfAll(jobs.map(({ id, allowFailure }) => ({ status: this.#now.get(id)!, allowFailure })));
  }
}

/** What becomes of the jobs of a pipeline that wait for others, as those stand now. Jobs are in the order of their stages. */
export const nextStatuses = (jobs: readonly WaitingJob[]): ReadonlyMap<number, NextStatus> => {
  const standing = new Standing(jobs);
  const next = new Map<number, NextStatus>();
  // One that is left out may be what another waits for.
  for (let changed = true; changed;) {
    changed = false;
    for (const job of jobs.filter((each) => standing.isWaiting(each))) {
      const status = nextOf(job, standing.before(job));
      if (status === undefined) continue;
      standing.become(job, status);
      next.set(job.id, status);
      changed = true;
    }
  }
  return next;
};

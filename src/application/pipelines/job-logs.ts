import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { CiJobReader, CiJobRepository } from './ports/ci-job-ports.js';

interface Parts {
  readonly unitOfWork: UnitOfWork<{ readonly ciJobs: CiJobRepository }>;
  readonly reader: Pick<CiJobReader, 'logsWrittenBefore'>;
  /** Undefined for logs that stay. */
  readonly retentionDays: number | undefined;
  readonly clock: Clock;
}

const DAY_MS = 86_400_000;
/** The next turn goes on. */
const REMOVED_AT_ONCE = 300;

const isStopped = (stopping: AbortSignal | undefined): boolean => stopping?.aborted === true;

/** How long logs of jobs are kept. */
export class JobLogs {
  constructor(private readonly parts: Parts) {}

  /** Undefined where they stay as long as their pipeline. */
  get retentionDays(): number | undefined {
    return this.parts.retentionDays;
  }

  /**
   * Removes some logs that nobody has written to for too long, one after another. One that can't be removed holds up no other.
   * @param stopping ends it after one. @throws what the first of those threw.
   */
  async removeOld(stopping?: AbortSignal): Promise<void> {
    const { retentionDays, reader, clock } = this.parts;
    if (retentionDays === undefined) return;
    const at = clock.now();
    const before = new Date(at.getTime() - retentionDays * DAY_MS);
    const problems: unknown[] = [];
    for (const id of await reader.logsWrittenBefore(before, REMOVED_AT_ONCE)) {
      if (isStopped(stopping)) break;
      await this.#remove(id, at).catch((error: unknown) => problems.push(error));
    }
    if (problems.length > 0) throw problems[0];
  }

  /** Somebody may have erased it meanwhile. */
  #remove(id: number, at: Date): Promise<void> {
    return this.parts.unitOfWork.execute(async ({ ciJobs }) => {
      const job = await ciJobs.takeLog(id);
      if (job === undefined || job.logBytes === 0) return;
      await ciJobs.removeLog(id);
      await ciJobs.change(id, { logRemovedAt: at });
    });
  }
}

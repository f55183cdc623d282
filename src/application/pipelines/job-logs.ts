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
const LOOKED_FOR_AT_ONCE = 100;

const isStopped = (stopping: AbortSignal | undefined): boolean => stopping?.aborted === true;

/** How long logs of jobs are kept. */
export class JobLogs {
  constructor(private readonly parts: Parts) {}

  /** Undefined where they stay as long as their pipeline. */
  get retentionDays(): number | undefined {
    return this.parts.retentionDays;
  }

  /** Removes logs that nobody has written to for too long, one after another. @param stopping ends it after one. */
  async removeOld(stopping?: AbortSignal): Promise<void> {
    const { retentionDays, reader, clock } = this.parts;
    if (retentionDays === undefined) return;
    const at = clock.now();
    const before = new Date(at.getTime() - retentionDays * DAY_MS);
    for (let found = LOOKED_FOR_AT_ONCE; found === LOOKED_FOR_AT_ONCE;) {
      const ids = await reader.logsWrittenBefore(before, LOOKED_FOR_AT_ONCE);
      for (const id of ids) {
        if (isStopped(stopping)) return;
        await this.#remove(id, at);
      }
      found = ids.length;
    }
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

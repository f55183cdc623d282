import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import { beginJobs, beginning, goOnWithPipeline, type JobNeeds } from './operations/go-on-with-pipeline.js';
import { byOf, NotRunning, whileJobHeld } from './operations/held-job.js';
import type { CiJobReader, QueuedJob } from './ports/ci-job-ports.js';

interface Parts {
  readonly unitOfWork: UnitOfWork<JobNeeds>;
  readonly reader: Pick<CiJobReader, 'dueToBegin'>;
  readonly clock: Clock;
}

const AT_ONCE = 100;
/** The next turn goes on. */
const MOST_LOOKS = 20;

/** Jobs that begin some time after those before them. */
export class DelayedJobs {
  constructor(private readonly parts: Parts) {}

  /**
   * Begins those whose time has come. One that can't be begun holds up no other.
   * @param stopping ends it after one. @throws what the first of those threw.
   */
  async beginDue(stopping?: AbortSignal): Promise<void> {
    const at = this.parts.clock.now();
    const problems: unknown[] = [];
    for (let look = 0; look < MOST_LOOKS; look += 1) {
      const due = await this.parts.reader.dueToBegin(at, AT_ONCE);
      for (const job of due) {
        if (stopping?.aborted === true) return;
        await this.#begin(job, at).catch((error: unknown) => problems.push(error));
      }
      if (due.length < AT_ONCE || problems.length > 0) break;
    }
    if (problems.length > 0) throw problems[0];
  }

  async #begin(job: QueuedJob, at: Date): Promise<void> {
    try {
      await whileJobHeld(this.parts.unitOfWork, job, async (repositories, held, pipeline) => {
        // Somebody may have begun it by hand meanwhile, or canceled it.
        if (held.status !== 'scheduled' || held.beginsAt === null || held.beginsAt > at) return;
        await beginJobs(repositories.ciJobs, [beginning(held)], at);
        await goOnWithPipeline(repositories, pipeline, { by: byOf(held, pipeline), at });
      });
    } catch (error) {
      // It was removed meanwhile.
      if (!(error instanceof NotRunning)) throw error;
    }
  }
}

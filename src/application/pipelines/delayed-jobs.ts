import type { Pipeline } from '../../domain/pipelines/pipeline.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import { beginJobs, beginning, goOnWithPipeline, type JobNeeds } from './operations/go-on-with-pipeline.js';
import { byOf } from './operations/held-job.js';
import type { CiJobReader } from './ports/ci-job-ports.js';

interface Parts {
  readonly unitOfWork: UnitOfWork<JobNeeds>;
  readonly reader: Pick<CiJobReader, 'pipelinesDue'>;
  readonly clock: Clock;
}

const AT_ONCE = 100;

/** Jobs that begin some time after those before them. */
export class DelayedJobs {
  constructor(private readonly parts: Parts) {}

  /**
   * Begins those whose time has come, those of one pipeline together. One that can't go on holds up no other.
   * @param stopping ends it after one. @throws what the first of those threw.
   */
  async beginDue(stopping?: AbortSignal): Promise<void> {
    const at = this.parts.clock.now();
    const problems: unknown[] = [];
    for (let after: number | undefined = 0; after !== undefined;) {
      const due: readonly Due[] = await this.parts.reader.pipelinesDue(at, after, AT_ONCE);
      for (const pipeline of due) {
        if (stopping?.aborted === true) return;
        await this.#begin(pipeline, at).catch((error: unknown) => problems.push(error));
      }
      after = due.length < AT_ONCE ? undefined : due.at(-1)?.id;
    }
    if (problems.length > 0) throw problems[0];
  }

  #begin({ id, projectId }: Due, at: Date): Promise<void> {
    return this.parts.unitOfWork.execute(async (repositories) => {
      await repositories.pipelines.hold(projectId);
      const pipeline = await repositories.pipelines.find(id);
      // Somebody may have begun them by hand meanwhile, or canceled them.
      const jobs = await repositories.ciJobs.dueOf(id, at);
      const [first] = jobs;
      if (pipeline === undefined || first === undefined) return;
      await beginJobs(repositories, jobs.map(beginning), at);
      await goOnWithPipeline(repositories, pipeline, { by: byOf(first, pipeline), at });
    });
  }
}

type Due = Pick<Pipeline, 'id' | 'projectId'>;

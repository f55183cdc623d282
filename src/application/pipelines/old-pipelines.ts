import { hasEnded } from '../../domain/pipelines/pipeline.js';
import type { ProjectId } from '../../domain/shared/identifiers.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { JobNeeds } from './operations/go-on-with-pipeline.js';
import { removeSomeOfPipeline } from './pipelines.js';
import type { OldPipelineReader } from './ports/pipeline-ports.js';

interface Parts {
  readonly unitOfWork: UnitOfWork<JobNeeds>;
  readonly reader: OldPipelineReader;
  /** Undefined for pipelines that stay. */
  readonly retentionDays: number | undefined;
  readonly clock: Clock;
}

const DAY_MS = 86_400_000;
const LOOKED_AT_ONCE = 200;
/** The next turn goes on: what else is cleaned up has its turn, and a pipeline may have thousands of rows. */
const MOST_LOOKS = 10;

/** How long pipelines are kept, with all that was said of their commits there. */
export class OldPipelines {
  /** Where the last turn ended: those that stay, however old, aren't looked at by each. */
  #after = 0;

  constructor(private readonly parts: Parts) {}

  /** Undefined where they stay as long as their project. */
  get retentionDays(): number | undefined {
    return this.parts.retentionDays;
  }

  /**
   * Removes some that ended too long ago, the oldest first. One that can't be removed holds up no other.
   * @param stopping ends it after one. @throws what the first of those threw.
   */
  async removeSome(stopping?: AbortSignal): Promise<void> {
    const { retentionDays, reader, clock } = this.parts;
    if (retentionDays === undefined) return;
    const before = new Date(clock.now().getTime() - retentionDays * DAY_MS);
    const problems: unknown[] = [];
    for (let look = 0; look < MOST_LOOKS; look += 1) {
      const { removable, last } = await reader.endedBefore(before, this.#after, LOOKED_AT_ONCE);
      for (const { id, projectId } of removable) {
        if (stopping?.aborted === true) return;
        await this.#remove(projectId, id, before, stopping).catch((error: unknown) => problems.push(error));
      }
      this.#after = last ?? 0;
      if (last === undefined) break;
    }
    if (problems.length > 0) throw problems[0];
  }

  async #remove(projectId: ProjectId, id: number, before: Date, stopping: AbortSignal | undefined): Promise<void> {
    let over = false;
    while (!over && stopping?.aborted !== true)
      over = await this.parts.unitOfWork.execute(async (repositories) => {
        await repositories.pipelines.hold(projectId);
        const pipeline = await repositories.pipelines.find(id);
        // Somebody may have run a job of it once more meanwhile, or removed it.
        if (pipeline === undefined || !hasEnded(pipeline.status) || pipeline.updatedAt >= before) return true;
        return removeSomeOfPipeline(repositories, pipeline, this.parts.clock.now());
      });
  }
}

import { nextOfBridge } from '../../domain/pipelines/downstream.js';
import type { CiJob } from '../../domain/pipelines/ci-job.js';
import type { Pipeline, PipelineStatus } from '../../domain/pipelines/pipeline.js';
import { BadRequest } from '../../domain/shared/domain-error.js';
import type { ProjectId } from '../../domain/shared/identifiers.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import { endBridge, waiting } from './operations/bridge-standing.js';
import { bringBackLeftOut } from './operations/bring-back-left-out.js';
import { goOnWithPipeline, type JobNeeds } from './operations/go-on-with-pipeline.js';
import { byOf } from './operations/held-job.js';
import { requireRoomToGoOn } from './operations/room-to-go-on.js';
import type { BridgeReader } from './ports/bridge-ports.js';

interface Parts {
  readonly unitOfWork: UnitOfWork<JobNeeds>;
  readonly bridges: Pick<BridgeReader, 'waitingInVain'>;
  readonly clock: Clock;
}

const AT_ONCE = 100;

/** Jobs that wait for the pipelines that they started end as those do. */
export class FollowDownstream {
  constructor(private readonly parts: Parts) {}

  /**
   * Once such a pipeline stands otherwise, or is gone.
   * @param from how it stood before; undefined where nobody knows.
   */
  async follow(
    repositories: JobNeeds,
    {
      projectId,
      jobId,
      from,
    }: { readonly projectId: ProjectId; readonly jobId: number; readonly from?: PipelineStatus },
  ): Promise<void> {
    const { pipelines, ciJobs } = repositories;
    await pipelines.hold(projectId);
    const job = await ciJobs.find(jobId);
    const pipeline = job && (await pipelines.find(job.pipelineId));
    if (job?.definition.trigger?.depends !== true || !job.latest || pipeline === undefined) return;
    const next = nextOfBridge(job.status, (await pipelines.ofBridge(jobId))?.status, from);
    if (next === undefined) return;
    const at = this.parts.clock.now();
    if (next !== 'running') await endBridge(repositories, job, next, at);
    else if (!(await goOnAgain(repositories, job, pipeline, at))) return;
    await goOnWithPipeline(repositories, pipeline, { by: byOf(job, pipeline), at });
  }

  /** Ends those of which nobody was told: who ended the pipeline may be gone, or the pipeline is. */
  async lookAgain(stopping?: AbortSignal): Promise<void> {
    for (const { id: jobId, projectId } of await this.parts.bridges.waitingInVain(AT_ONCE)) {
      if (stopping?.aborted === true) return;
      await this.parts.unitOfWork.execute((repositories) => this.follow(repositories, { projectId, jobId }));
    }
  }
}

/** It waits once more, and so does what was left out because of it. False where its project has no room for that: it stays as it is. */
const goOnAgain = async (repositories: JobNeeds, job: CiJob, pipeline: Pipeline, at: Date): Promise<boolean> => {
  const { ciJobs } = repositories;
  try {
    await requireRoomToGoOn(ciJobs, pipeline);
  } catch (error) {
    if (error instanceof BadRequest) return false;
    throw error;
  }
  await ciJobs.change(job.id, { status: 'running', finishedAt: null, failureReason: null, ...waiting(at) });
  await bringBackLeftOut(ciJobs, pipeline.id, [job]);
  return true;
};

import { STATUSES_GOING_ON, type Pipeline } from '../../../domain/pipelines/pipeline.js';
import { lackOfRoom } from '../../../domain/pipelines/room-for-jobs.js';
import { BadRequest } from '../../../domain/shared/domain-error.js';
import type { CiJobRepository } from '../ports/ci-job-ports.js';

/**
 * For a job that is to begin in a pipeline. What goes on counts already: one that is run again takes the place of another. The pipelines
 * of the project are held.
 * @throws BadRequest where the project has no room for the jobs of one more.
 */
export const requireRoomToGoOn = async (
  ciJobs: Pick<CiJobRepository, 'goingOn' | 'tagsOf'>,
  { id, projectId, status }: Pipeline,
): Promise<void> => {
  if (STATUSES_GOING_ON.includes(status)) return;
  const problem = lackOfRoom(await ciJobs.goingOn(projectId), await ciJobs.tagsOf(id));
  if (problem !== undefined) throw new BadRequest(problem);
};

import { ContainerModule } from 'inversify';
import { JobRunner, type JobHandlers } from '../../application/shared/jobs/job-runner.js';
import type { Repositories } from '../../adapters/outbound/persistence/knex/repositories.js';
import { JobLoop } from '../../adapters/inbound/scheduler/job-loop.js';
import { TOKENS } from './tokens.js';

/** What each kind of job does. */
const HANDLERS: JobHandlers<Repositories> = {
  remove_project: ({ projects }, id) => projects.remove(id),
  remove_group: ({ groups }, id) => groups.remove(id),
};

export const jobsModule = new ContainerModule(({ bind }) => {
  bind(TOKENS.jobRunner).toResolvedValue(
    (unitOfWork, clock, metrics, logger) => new JobRunner(unitOfWork, HANDLERS, clock, metrics, logger),
    [TOKENS.unitOfWork, TOKENS.clock, TOKENS.metrics, TOKENS.logger],
  );
  bind(TOKENS.jobLoop).toResolvedValue(
    (runner, logger) => new JobLoop(() => runner.runDue(), logger),
    [TOKENS.jobRunner, TOKENS.logger],
  );
});

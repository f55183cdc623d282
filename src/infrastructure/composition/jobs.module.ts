import { ContainerModule } from 'inversify';
import { JobRunner } from '../../application/shared/jobs/job-runner.js';
import { JobLoop } from '../../adapters/inbound/scheduler/job-loop.js';
import { TOKENS } from './tokens.js';

export const jobsModule = new ContainerModule(({ bind }) => {
  bind(TOKENS.jobRunner).toResolvedValue(
    (contexts, get, unitOfWork, clock, metrics, logger) => {
      const handlers = contexts.map(({ jobs }) => jobs?.(get) ?? {});
      return new JobRunner(unitOfWork, handlers, clock, metrics, logger);
    },
    [TOKENS.contexts, TOKENS.get, TOKENS.unitOfWork, TOKENS.clock, TOKENS.metrics, TOKENS.logger],
  );
  bind(TOKENS.jobLoop).toResolvedValue(
    (runner, wakeUps, logger) => {
      const runDue = async () => {
        const done = await runner.runDue();
        if (done > 0) wakeUps.mail?.();
        return done;
      };
      return new JobLoop(runDue, logger);
    },
    [TOKENS.jobRunner, TOKENS.wakeUps, TOKENS.logger],
  );
});

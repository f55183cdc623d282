import { ContainerModule } from 'inversify';
import { TellPeople } from '../../application/notifications/tell-people.js';
import { JobRunner, type JobHandlers } from '../../application/shared/jobs/job-runner.js';
import type { Repositories } from '../../adapters/outbound/persistence/knex/repositories.js';
import { JobLoop } from '../../adapters/inbound/scheduler/job-loop.js';
import { TOKENS } from './tokens.js';

/** Projects, or groups, that one step of a removal takes. */
const REMOVED_AT_ONCE = 50;

/** What each kind of job does. */
const handlers = (tellPeople: TellPeople): JobHandlers<Repositories> => ({
  remove_project: async ({ projects }, id) => {
    await projects.remove(id);
    return 'done';
  },
  remove_group: async ({ groups }, id) => ((await groups.removeSome(id, REMOVED_AT_ONCE)) ? 'done' : 'more'),
  tell_people: (repositories, causeId) => tellPeople.step(repositories, causeId),
});

export const jobsModule = new ContainerModule(({ bind }) => {
  bind(TOKENS.jobRunner).toResolvedValue(
    (unitOfWork, clock, metrics, logger) =>
      new JobRunner(unitOfWork, handlers(new TellPeople(clock)), clock, metrics, logger),
    [TOKENS.unitOfWork, TOKENS.clock, TOKENS.metrics, TOKENS.logger],
  );
  bind(TOKENS.jobLoop).toResolvedValue(
    (runner, wakeUps, logger) => {
      const runDue = async () => {
        const done = await runner.runDue();
        if (done > 0) wakeUps.mail();
        return done;
      };
      return new JobLoop(runDue, logger);
    },
    [TOKENS.jobRunner, TOKENS.wakeUps, TOKENS.logger],
  );
});

import { ContainerModule } from 'inversify';
import type { ActivityRepository } from '../../application/activity/ports/activity-repository.js';
import type { ForgottenPassword } from '../../application/identity/forgotten-password.js';
import { TellPeople } from '../../application/notifications/tell-people.js';
import { JobRunner, type JobHandlers } from '../../application/shared/jobs/job-runner.js';
import type { ProjectId } from '../../domain/shared/identifiers.js';
import type { Repositories } from '../../adapters/outbound/persistence/knex/repositories.js';
import { JobLoop } from '../../adapters/inbound/scheduler/job-loop.js';
import { TOKENS } from './tokens.js';

/** Projects, or groups, that one step of a removal takes. */
const REMOVED_AT_ONCE = 50;
/** Entries of the feed that one step takes. */
const EVENTS_REMOVED_AT_ONCE = 1_000;

/** False while there may be more of them. */
const forgetActivity = async (activity: ActivityRepository, projectIds: readonly ProjectId[]): Promise<boolean> => {
  for (const id of projectIds)
    if ((await activity.removeOfProject(id, EVENTS_REMOVED_AT_ONCE)) === EVENTS_REMOVED_AT_ONCE) return false;
  return true;
};

/** What each kind of job does. */
const handlers = (tellPeople: TellPeople, forgottenPassword: ForgottenPassword): JobHandlers<Repositories> => ({
  remove_project: async ({ projects, activity }, id) => {
    if (!(await forgetActivity(activity, [id]))) return 'more';
    await projects.remove(id);
    return 'done';
  },
  remove_group: async ({ groups, activity }, id) => {
    if (!(await forgetActivity(activity, await groups.projectsInside(id, REMOVED_AT_ONCE)))) return 'more';
    return (await groups.removeSome(id, REMOVED_AT_ONCE)) ? 'done' : 'more';
  },
  tell_people: (repositories, causeId) => tellPeople.step(repositories, causeId),
  send_password_link: async (repositories, address) => {
    await forgottenPassword.send(repositories, address);
    return 'done';
  },
});

export const jobsModule = new ContainerModule(({ bind }) => {
  bind(TOKENS.jobRunner).toResolvedValue(
    (unitOfWork, { forgottenPassword }, clock, metrics, logger) =>
      new JobRunner(unitOfWork, handlers(new TellPeople(clock), forgottenPassword), clock, metrics, logger),
    [TOKENS.unitOfWork, TOKENS.identity, TOKENS.clock, TOKENS.metrics, TOKENS.logger],
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

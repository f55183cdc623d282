import { ContainerModule } from 'inversify';
import { RemoveExpired } from '../../application/shared/remove-expired.js';
import { Scheduler } from '../../adapters/inbound/scheduler/scheduler.js';
import { TOKENS } from './tokens.js';

const EVERY_TEN_SECONDS = '*/10 * * * * *';
const EVERY_FIVE_MINUTES = '30 */5 * * * *';
const EVERY_HOUR = '15 7 * * * *';

export const schedulerModule = new ContainerModule(({ bind }) => {
  bind(TOKENS.cleanUp).toResolvedValue(
    (database, unitOfWork, workspace, alerts, clock, metrics) => {
      const removeExpired = new RemoveExpired(unitOfWork, clock, metrics);
      // One node at a time: two would only wait for each other's rows.
      return async () =>
        database.tryWithLock('clean-up', async () => {
          await removeExpired.execute();
          await alerts.trimDeliveries.execute();
          metrics.count('expired_rows_removed_total', { table: 'members' }, await workspace.members.removeExpired());
        });
    },
    [TOKENS.database, TOKENS.unitOfWork, TOKENS.workspace, TOKENS.alerts, TOKENS.clock, TOKENS.metrics],
  );
  bind(TOKENS.pruneActivity).toResolvedValue(
    (database, activity) => async () =>
      database.tryWithLock('retention of activity', () => activity.pruneActivity.execute()),
    [TOKENS.database, TOKENS.activity],
  );
  bind(TOKENS.scheduler).toResolvedValue(
    (cleanUp, pruneActivity, identity, { grantUses }, remindOfDueIssues, logger) =>
      new Scheduler(
        [
          { name: 'uses of tokens', pattern: EVERY_TEN_SECONDS, run: () => identity.tokenUses.flush() },
          { name: 'uses of grants', pattern: EVERY_TEN_SECONDS, run: () => grantUses.flush() },
          { name: 'issues that are due', pattern: EVERY_TEN_SECONDS, run: () => remindOfDueIssues.execute() },
          { name: 'clean-up', pattern: EVERY_FIVE_MINUTES, run: cleanUp },
          { name: 'retention of activity', pattern: EVERY_HOUR, run: pruneActivity },
        ],
        logger,
      ),
    [
      TOKENS.cleanUp,
      TOKENS.pruneActivity,
      TOKENS.identity,
      TOKENS.oauthReaders,
      TOKENS.remindOfDueIssues,
      TOKENS.logger,
    ],
  );
});

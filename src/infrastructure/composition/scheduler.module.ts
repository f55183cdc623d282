import { ContainerModule } from 'inversify';
import { RemoveExpired } from '../../application/shared/remove-expired.js';
import { EXPIRING_TABLES } from '../../adapters/outbound/persistence/knex/tables.js';
import { Scheduler } from '../../adapters/inbound/scheduler/scheduler.js';
import { TOKENS, type ScheduledWork } from './tokens.js';

const EVERY_TEN_SECONDS = '*/10 * * * * *';
const EVERY_FIVE_MINUTES = '30 */5 * * * *';
export const EVERY_HOUR = '15 7 * * * *';

export const schedulerModule = new ContainerModule(({ bind }) => {
  bind(TOKENS.cleanUp).toResolvedValue(
    (database, unitOfWork, workspace, alerts, clock, metrics) => {
      const removeExpired = new RemoveExpired(unitOfWork, EXPIRING_TABLES, clock, metrics);
      // One node at a time: two would only wait for each other's rows.
      return async (stopping) =>
        database.tryWithLock('clean-up', async () => {
          await removeExpired.execute(stopping);
          await alerts.trimDeliveries.execute(stopping);
          const members = await workspace.members.removeExpired(stopping);
          metrics.count('expired_rows_removed_total', { table: 'members' }, members);
        });
    },
    [TOKENS.database, TOKENS.unitOfWork, TOKENS.workspace, TOKENS.alerts, TOKENS.clock, TOKENS.metrics],
  );
  bind(TOKENS.pruneActivity).toResolvedValue(
    (database, { pruneActivity, retentionDays }, { pruneInThread }, metrics) => {
      const { inThisThread } = database;
      const removeAll: ScheduledWork =
        inThisThread === undefined || pruneInThread === undefined
          ? (stopping) => pruneActivity.execute(stopping)
          : (stopping) => pruneInThread({ database: inThisThread, retentionDays }, metrics, stopping);
      return async (stopping) =>
        database.tryWithLock('retention of activity', async () => {
          // Mostly there is nothing, and nothing that a thread would be worth.
          if (await pruneActivity.removeSome()) await removeAll(stopping);
        });
    },
    [TOKENS.database, TOKENS.activity, TOKENS.threads, TOKENS.metrics],
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

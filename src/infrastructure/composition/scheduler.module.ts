import { ContainerModule } from 'inversify';
import { RemoveExpired } from '../../application/shared/remove-expired.js';
import { EXPIRING_TABLES } from '../../adapters/outbound/persistence/knex/tables.js';
import { Scheduler } from '../../adapters/inbound/scheduler/scheduler.js';
import { ScheduledBackups } from '../scheduled-backups.js';
import { oneNodeAtATime } from './one-node-at-a-time.js';
import { EVERY_FIVE_MINUTES } from './schedules.js';
import { TOKENS } from './tokens.js';

export const schedulerModule = new ContainerModule(({ bind }) => {
  bind(TOKENS.cleanUp).toResolvedValue(
    (contexts, get, database, unitOfWork, clock, metrics) => {
      const removeExpired = new RemoveExpired(unitOfWork, EXPIRING_TABLES, clock, metrics);
      const works = contexts.flatMap(({ cleanUp }) => cleanUp?.(get) ?? []);
      // Two would only wait for each other's rows.
      return oneNodeAtATime(database, 'clean-up', async (stopping) => {
        await removeExpired.execute(stopping);
        for (const work of works) await work(stopping);
      });
    },
    [TOKENS.contexts, TOKENS.get, TOKENS.database, TOKENS.unitOfWork, TOKENS.clock, TOKENS.metrics],
  );
  bind(TOKENS.scheduledBackups).toResolvedValue(
    ({ backupDirectory: directory, backupsKept: keep }, clock, metrics, logger) =>
      new ScheduledBackups({ directory, keep }, clock, metrics, logger),
    [TOKENS.config, TOKENS.clock, TOKENS.metrics, TOKENS.logger],
  );
  bind(TOKENS.backups).toResolvedValue(
    ({ backupSchedule }, database, backups) => {
      if (backupSchedule === undefined) return [];
      const run = (stopping: AbortSignal) => database.tryWithLock('backup', () => backups.run(stopping));
      return [{ name: 'backup', pattern: backupSchedule, run }];
    },
    [TOKENS.config, TOKENS.database, TOKENS.scheduledBackups],
  );
  bind(TOKENS.scheduler).toResolvedValue(
    (contexts, get, cleanUp, logger, backups) =>
      new Scheduler(
        [
          ...contexts.flatMap(({ tasks }) => tasks?.(get) ?? []),
          { name: 'clean-up', pattern: EVERY_FIVE_MINUTES, run: cleanUp },
          ...backups,
        ],
        logger,
      ),
    [TOKENS.contexts, TOKENS.get, TOKENS.cleanUp, TOKENS.logger, TOKENS.backups],
  );
});

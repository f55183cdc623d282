import { setTimeout as sleep } from 'node:timers/promises';
import { ContainerModule } from 'inversify';
import { PruneActivity } from '../../application/activity/prune-activity.js';
import { Cursors } from '../../adapters/inbound/http/pagination/cursor.js';
import { KnexActivityReader } from '../../adapters/outbound/persistence/knex/activity/knex-activity-reader.js';
import { PAUSE_MS } from './activity.js';
import { TOKENS } from './tokens.js';

export const activityModule = new ContainerModule(({ bind }) => {
  bind(TOKENS.activity).toResolvedValue(
    ({ reader }, unitOfWork, cursorBox, clock, metrics, { eventRetentionDays: retentionDays }) => ({
      activityReader: new KnexActivityReader(reader),
      pruneActivity: new PruneActivity(unitOfWork, clock, metrics, retentionDays, () => sleep(PAUSE_MS)),
      cursors: new Cursors(cursorBox),
      retentionDays,
    }),
    [TOKENS.database, TOKENS.unitOfWork, TOKENS.cursorBox, TOKENS.clock, TOKENS.metrics, TOKENS.config],
  );
});

import { setTimeout as sleep } from 'node:timers/promises';
import { ContainerModule } from 'inversify';
import { createFileEntriesOfCode } from '../../application/activity/file-entries-of-code.js';
import { forgetActivity } from '../../application/activity/forget-activity.js';
import { PruneActivity } from '../../application/activity/prune-activity.js';
import { createEventRoutes } from '../../adapters/inbound/http/api-v4/events/event-routes.js';
import { addActivityPages } from '../../adapters/inbound/http/pages/activity-pages.js';
import { Cursors } from '../../adapters/inbound/http/pagination/cursor.js';
import { FollowingActivityReader } from '../../adapters/outbound/persistence/knex/activity/following-activity-reader.js';
import { activityStorage } from './activity.storage.js';
import { ACTIVITY_TOKENS, PAUSE_MS } from './activity.tokens.js';
import type { Context, ScheduledWork } from './context.js';
import { IDENTITY_TOKENS } from './identity.tokens.js';
import { oneNodeAtATime } from './one-node-at-a-time.js';
import { EVERY_HOUR } from './schedules.js';
import { TOKENS } from './tokens.js';
import { WORKSPACE_TOKENS } from './workspace.tokens.js';

const activityModule = new ContainerModule(({ bind }) => {
  bind(ACTIVITY_TOKENS.activity).toResolvedValue(
    ({ reader }, unitOfWork, cursorBox, clock, metrics, { eventRetentionDays: retentionDays }) => ({
      activityReader: new FollowingActivityReader(reader),
      pruneActivity: new PruneActivity(unitOfWork, clock, metrics, retentionDays, () => sleep(PAUSE_MS)),
      cursors: new Cursors(cursorBox),
      retentionDays,
    }),
    [TOKENS.database, TOKENS.unitOfWork, TOKENS.cursorBox, TOKENS.clock, TOKENS.metrics, TOKENS.config],
  );
  bind(ACTIVITY_TOKENS.pruneActivity).toResolvedValue(
    (database, { pruneActivity, retentionDays }, { pruneInThread }, metrics) => {
      const removeAll: ScheduledWork = async (stopping) => {
        // Asked for late: the storage may have moved.
        const { inThisThread } = database;
        if (inThisThread === undefined || pruneInThread === undefined) await pruneActivity.execute(stopping);
        else await pruneInThread({ database: inThisThread, retentionDays }, metrics, stopping);
      };
      return oneNodeAtATime(database, 'retention of activity', async (stopping) => {
        // Mostly there is nothing, and nothing that a thread would be worth.
        if (await pruneActivity.removeSome()) await removeAll(stopping);
      });
    },
    [TOKENS.database, ACTIVITY_TOKENS.activity, TOKENS.threads, TOKENS.metrics],
  );
});

/** What people did where. */
export const activityContext: Context<typeof activityStorage> = {
  storage: activityStorage,
  modules: [activityModule],
  routes: (get) =>
    createEventRoutes({
      ...get(WORKSPACE_TOKENS.workspace),
      ...get(ACTIVITY_TOKENS.activity),
      users: get(IDENTITY_TOKENS.identityReaders).users,
      clock: get(TOKENS.clock),
      urls: get(TOKENS.webUrls),
    }),
  pages: (get) => (pages) =>
    addActivityPages(pages, {
      ...get(WORKSPACE_TOKENS.workspace),
      ...get(ACTIVITY_TOKENS.activity),
      users: get(IDENTITY_TOKENS.identityReaders).users,
      clock: get(TOKENS.clock),
    }),
  forgetProject: [forgetActivity],
  jobs: (get) => ({ file_entries_of_code: createFileEntriesOfCode(get(TOKENS.clock)) }),
  tasks: (get) => [{ name: 'retention of activity', pattern: EVERY_HOUR, run: get(ACTIVITY_TOKENS.pruneActivity) }],
};

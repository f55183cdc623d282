import { Container } from 'inversify';
import type { Database } from '../../adapters/outbound/persistence/knex/database.js';
import { alertsModule } from './alerts.module.js';
import { activityModule } from './activity.module.js';
import { errorTrackingModule } from './error-tracking.module.js';
import { httpModule } from './http.module.js';
import { identityModule } from './identity.module.js';
import { jobsModule } from './jobs.module.js';
import { mailModule } from './mail.module.js';
import { notificationsModule } from './notifications.module.js';
import { oauthModule } from './oauth.module.js';
import { pagesModule } from './pages.module.js';
import { platformModule, type Platform } from './platform.module.js';
import { planningModule } from './planning.module.js';
import { schedulerModule } from './scheduler.module.js';
import { storageModule } from './storage.module.js';
import { workspaceModule } from './workspace.module.js';

/** The whole service, wired. The database is open already: nothing here waits. */
export const buildContainer = (platform: Platform, database: Database): Container => {
  const container = new Container({ defaultScope: 'Singleton' });
  container.load(
    platformModule(platform),
    storageModule(database),
    identityModule,
    jobsModule,
    schedulerModule,
    workspaceModule,
    planningModule,
    alertsModule,
    errorTrackingModule,
    activityModule,
    notificationsModule,
    mailModule,
    oauthModule,
    pagesModule,
    httpModule,
  );
  return container;
};

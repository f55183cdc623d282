import { Container } from 'inversify';
import type { Database } from '../../adapters/outbound/persistence/knex/database.js';
import { httpModule } from './http.module.js';
import { identityModule } from './identity.module.js';
import { platformModule, type Platform } from './platform.module.js';
import { storageModule } from './storage.module.js';

/** The whole service, wired. The database is open already: nothing here waits. */
export const buildContainer = (platform: Platform, database: Database): Container => {
  const container = new Container({ defaultScope: 'Singleton' });
  container.load(platformModule(platform), storageModule(database), identityModule, httpModule);
  return container;
};

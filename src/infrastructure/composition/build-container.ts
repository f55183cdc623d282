import { Container } from 'inversify';
import type { Database } from '../../adapters/outbound/persistence/knex/database.js';
import type { AnyContext } from './context.js';
import { CONTEXTS } from './contexts.js';
import { httpModule } from './http.module.js';
import { jobsModule } from './jobs.module.js';
import { pagesModule } from './pages.module.js';
import { platformModule, type Platform } from './platform.module.js';
import { schedulerModule } from './scheduler.module.js';
import { storageModule } from './storage.module.js';
import { TOKENS } from './tokens.js';

/** The whole service, wired. The database is open already: nothing here waits. */
export const buildContainer = (
  platform: Platform,
  database: Database,
  contexts: readonly AnyContext[] = CONTEXTS,
): Container => {
  const container = new Container({ defaultScope: 'Singleton' });
  container.bind(TOKENS.contexts).toConstantValue(contexts);
  container.bind(TOKENS.get).toConstantValue((token) => container.get(token));
  container.load(
    platformModule(platform),
    storageModule(database),
    jobsModule,
    schedulerModule,
    pagesModule,
    httpModule,
    ...contexts.flatMap(({ modules }) => modules),
  );
  return container;
};

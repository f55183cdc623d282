import { createApiChangeRoutes } from '../../adapters/inbound/http/api-v4/api-changes/api-change-routes.js';
import { createVersionRoutes } from '../../adapters/inbound/http/api-v4/version/version-routes.js';
import { VERSION } from '../version.js';
import type { Context } from './context.js';
import { sharedStorage } from './shared.storage.js';

/** What every context stands on, and what is said of the API as a whole. */
export const sharedContext: Context<typeof sharedStorage> = {
  storage: sharedStorage,
  modules: [],
  routes: () => [...createVersionRoutes({ version: VERSION }), ...createApiChangeRoutes()],
};

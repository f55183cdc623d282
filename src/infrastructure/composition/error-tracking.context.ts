import { ContainerModule } from 'inversify';
import { ErrorTracking } from '../../application/error-tracking/error-tracking.js';
import { createErrorTrackingRoutes } from '../../adapters/inbound/http/api-v4/error-tracking/error-tracking-routes.js';
import { createMayReach } from '../../adapters/outbound/network/reachable-hosts.js';
import { KnexErrorTrackingReader } from '../../adapters/outbound/persistence/knex/error-tracking/knex-error-tracking-repository.js';
import type { Context } from './context.js';
import { errorTrackingStorage } from './error-tracking.storage.js';
import { ERROR_TRACKING_TOKENS } from './error-tracking.tokens.js';
import { TOKENS } from './tokens.js';
import { WORKSPACE_TOKENS } from './workspace.tokens.js';

const errorTrackingModule = new ContainerModule(({ bind }) => {
  bind(ERROR_TRACKING_TOKENS.mayReach).toResolvedValue(
    (config) => createMayReach(config.outboundAllowlist),
    [TOKENS.config],
  );
  bind(ERROR_TRACKING_TOKENS.errorTracking).toResolvedValue(
    ({ reader }, unitOfWork, tokenBox, mayReach, clock) => ({
      errorTracking: new ErrorTracking(unitOfWork, tokenBox, mayReach, clock),
      errorTrackingReader: new KnexErrorTrackingReader(reader),
    }),
    [TOKENS.database, TOKENS.unitOfWork, TOKENS.trackerTokenBox, ERROR_TRACKING_TOKENS.mayReach, TOKENS.clock],
  );
});

/** Where the errors of projects are tracked. Its settings have a page among those that alerts bring. */
export const errorTrackingContext: Context<typeof errorTrackingStorage> = {
  storage: errorTrackingStorage,
  modules: [errorTrackingModule],
  routes: (get) =>
    createErrorTrackingRoutes({ ...get(WORKSPACE_TOKENS.workspace), ...get(ERROR_TRACKING_TOKENS.errorTracking) }),
};

import { ContainerModule } from 'inversify';
import { ErrorTracking } from '../../application/error-tracking/error-tracking.js';
import { createMayReach } from '../../adapters/outbound/network/reachable-hosts.js';
import { KnexErrorTrackingReader } from '../../adapters/outbound/persistence/knex/error-tracking/knex-error-tracking-repository.js';
import { TOKENS } from './tokens.js';

export const errorTrackingModule = new ContainerModule(({ bind }) => {
  bind(TOKENS.mayReach).toResolvedValue((config) => createMayReach(config.outboundAllowlist), [TOKENS.config]);
  bind(TOKENS.errorTracking).toResolvedValue(
    ({ reader }, unitOfWork, tokenBox, mayReach, clock) => ({
      errorTracking: new ErrorTracking(unitOfWork, tokenBox, mayReach, clock),
      errorTrackingReader: new KnexErrorTrackingReader(reader),
    }),
    [TOKENS.database, TOKENS.unitOfWork, TOKENS.trackerTokenBox, TOKENS.mayReach, TOKENS.clock],
  );
});

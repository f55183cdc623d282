import { ContainerModule } from 'inversify';
import type { Clock } from '../../application/shared/ports/clock.js';
import type { Logger } from '../../application/shared/ports/logger.js';
import type { MovesInSight } from '../../application/storage/move-in-sight.js';
import type { PasswordHasher } from '../../application/identity/ports/password-hasher.js';
import { createRotatingSecretBox, type SecretKeys } from '../../adapters/outbound/security/aes-secret-box.js';
import { randomSecretSource, sha256Digester } from '../../adapters/outbound/security/node-secrets.js';
import { createPrometheusMetrics } from '../../adapters/outbound/system/prometheus-metrics.js';
import { AlertThread } from '../alert-thread/alert-thread.js';
import { pruneInThread } from '../retention-thread/retention-thread.js';
import type { Config } from '../configuration/config.js';
import { COUNTERS } from './storages.js';
import { boxOfStoredSecrets } from './stored-secrets.js';
import { TOKENS, type Probes, type PublicAddress, type Threads } from './tokens.js';

export interface Platform {
  readonly config: Config;
  readonly publicAddress: PublicAddress;
  readonly secretKeys: SecretKeys;
  readonly clock: Clock;
  readonly steadyClock: Clock;
  readonly logger: Logger;
  readonly passwordHasher: PasswordHasher;
  readonly probes: Probes;
  readonly threads: boolean;
  readonly moves: MovesInSight;
}

const threadsOf = ({ threads, secretKeys }: Platform): Threads =>
  threads
    ? { startAlertThread: (settings, parts) => AlertThread.start({ ...settings, secretKeys }, parts), pruneInThread }
    : {};

/** What every context stands on. */
export const platformModule = (platform: Platform): ContainerModule =>
  new ContainerModule(({ bind }) => {
    bind(TOKENS.config).toConstantValue(platform.config);
    bind(TOKENS.publicAddress).toConstantValue(platform.publicAddress);
    bind(TOKENS.wakeUps).toConstantValue({});
    bind(TOKENS.moves).toConstantValue(platform.moves);
    bind(TOKENS.probes).toConstantValue(platform.probes);
    bind(TOKENS.threads).toConstantValue(threadsOf(platform));
    bind(TOKENS.clock).toConstantValue(platform.clock);
    bind(TOKENS.steadyClock).toConstantValue(platform.steadyClock);
    bind(TOKENS.logger).toConstantValue(platform.logger);
    bind(TOKENS.passwordHasher).toConstantValue(platform.passwordHasher);
    bind(TOKENS.metrics).toResolvedValue(() => createPrometheusMetrics(COUNTERS));
    bind(TOKENS.secretSource).toConstantValue(randomSecretSource);
    bind(TOKENS.secretDigester).toConstantValue(sha256Digester);
    bind(TOKENS.secrecy).toResolvedValue(
      (secrets, digester, secretBox) => ({ secrets, digester, secretBox }),
      [TOKENS.secretSource, TOKENS.secretDigester, TOKENS.secretBox],
    );
    bind(TOKENS.secretBox).toResolvedValue(() => boxOfStoredSecrets(platform.secretKeys));
    bind(TOKENS.cursorBox).toResolvedValue(() => createRotatingSecretBox(platform.secretKeys, 'cursors of lists'));
    bind(TOKENS.trackerTokenBox).toResolvedValue(() => createRotatingSecretBox(platform.secretKeys, 'tracker tokens'));
    bind(TOKENS.unsubscribeBox).toResolvedValue(() =>
      createRotatingSecretBox(platform.secretKeys, 'unsubscribe links'),
    );
  });

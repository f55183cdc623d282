import { Sensitive } from '../../src/application/shared/sensitive.js';
import type { Config } from '../../src/infrastructure/configuration/config.js';

/** The defaults of every setting, on a free port. */
export const testConfig = (databaseUrl: string, changes: Partial<Config> = {}): Config => ({
  databaseUrl: new Sensitive(databaseUrl),
  databasePoolMax: 10,
  host: '127.0.0.1',
  port: 0,
  baseUrl: undefined,
  secretKey: undefined,
  secretKeyPrevious: undefined,
  rootPassword: undefined,
  tier: 'ultimate',
  accessTokenTtlSeconds: 7_200,
  refreshGraceSeconds: 30,
  oauthDisabledFlows: [],
  oauthPasswordGrantWithoutClient: false,
  alertPayloadLimitBytes: 1_048_576,
  eventRetentionDays: undefined,
  outboundAllowlist: [],
  nodeEnv: 'test',
  smtpUrl: undefined,
  mailFrom: 'gatehouse@localhost',
  rateLimits: { api: 'off', alerts: 'off', signIn: 'off' },
  workers: 1,
  trustProxy: false,
  metricsToken: undefined,
  logLevel: 'info',
  logFormat: 'json',
  autoMigrate: true,
  demo: false,
  ...changes,
});

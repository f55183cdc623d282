import { createRequire } from 'node:module';
import { ContainerModule } from 'inversify';
import { AlertBot } from '../../application/alerts/alert-bot.js';
import { AlertIntegrations } from '../../application/alerts/alert-integrations.js';
import { Alerts } from '../../application/alerts/alerts.js';
import { Incidents } from '../../application/alerts/incidents.js';
import { ReceiveAlerts } from '../../application/alerts/receive-alerts.js';
import { RecordDelivery } from '../../application/alerts/record-delivery.js';
import { TrimDeliveries } from '../../application/alerts/trim-deliveries.js';
import { createAlertIntake } from '../../adapters/inbound/http/alert-intake/create-alert-intake.js';
import { createTakePayload } from '../../adapters/inbound/http/alert-intake/take-payload.js';
import { createAlertLimit } from '../../adapters/inbound/http/middleware/alert-limit.js';
import { KnexAlertReader } from '../../adapters/outbound/persistence/knex/alerts/knex-alert-reader.js';
import { KnexIntegrationReader } from '../../adapters/outbound/persistence/knex/alerts/knex-integration-repository.js';
import type { CanonicalJson } from '../../domain/alerts/read-values.js';
import { TOKENS } from './tokens.js';

// It is written for `require` alone.
const canonicalize = createRequire(import.meta.url)('canonicalize') as (value: unknown) => string | undefined;
const canonicalJson: CanonicalJson = (value) => canonicalize(value) ?? 'null';

export const alertsModule = new ContainerModule(({ bind }) => {
  bind(TOKENS.alerts).toResolvedValue(
    ({ reader }, { users }, unitOfWork, { secrets, digester, secretBox }, clock, metrics, urls, config) => {
      const bot = new AlertBot(unitOfWork, users, clock);
      const incidents = new Incidents((path, iid) => urls.alert(path, iid));
      const premium = config.tier !== 'free';
      const receiveAlerts = new ReceiveAlerts(unitOfWork, incidents, bot, digester, metrics);
      return {
        alerts: new Alerts(unitOfWork, incidents, bot, clock),
        alertReader: new KnexAlertReader(reader),
        alertIntegrations: new AlertIntegrations(unitOfWork, secrets, digester, secretBox, clock, {
          name: config.tier,
          premium,
        }),
        integrationReader: new KnexIntegrationReader(reader),
        trimDeliveries: new TrimDeliveries(unitOfWork, metrics),
        recordDelivery: new RecordDelivery(unitOfWork, clock, metrics),
        takePayload: createTakePayload({ receiveAlerts, clock, canonicalJson, groupByPayload: premium }),
      };
    },
    [
      TOKENS.database,
      TOKENS.identityReaders,
      TOKENS.unitOfWork,
      TOKENS.secrecy,
      TOKENS.clock,
      TOKENS.metrics,
      TOKENS.webUrls,
      TOKENS.config,
    ],
  );
  bind(TOKENS.alertIntake).toResolvedValue(
    (alerts, { digester }, logger, config) =>
      createAlertIntake({
        ...alerts,
        digester,
        logger,
        payloadLimitBytes: config.alertPayloadLimitBytes,
        limitAlerts: createAlertLimit(config.rateLimits.alerts),
      }),
    [TOKENS.alerts, TOKENS.secrecy, TOKENS.logger, TOKENS.config],
  );
});

import { ContainerModule } from 'inversify';
import { AlertBot } from '../../application/alerts/alert-bot.js';
import { AlertIntegrations } from '../../application/alerts/alert-integrations.js';
import { Alerts } from '../../application/alerts/alerts.js';
import { Incidents } from '../../application/alerts/incidents.js';
import { RecordDelivery } from '../../application/alerts/record-delivery.js';
import { TrimDeliveries } from '../../application/alerts/trim-deliveries.js';
import { createAlertIntake } from '../../adapters/inbound/http/alert-intake/create-alert-intake.js';
import { createTakeByHand } from '../../adapters/inbound/http/alert-intake/take-by-hand.js';
import { createAlertLimit } from '../../adapters/inbound/http/middleware/alert-limit.js';
import { KnexAlertReader } from '../../adapters/outbound/persistence/knex/alerts/knex-alert-reader.js';
import { KnexIntegrationReader } from '../../adapters/outbound/persistence/knex/alerts/knex-integration-repository.js';
import { AlertThreadOnDemand } from '../alert-thread/alert-thread-on-demand.js';
import type { Config } from '../configuration/config.js';
import { createTakingOfAlerts } from './taking-alerts.js';
import { TOKENS } from './tokens.js';

const groupsByPayload = ({ tier }: Config): boolean => tier !== 'free';

export const alertsModule = new ContainerModule(({ bind }) => {
  bind(TOKENS.takeAlertsHere).toResolvedValue(
    (unitOfWork, { users }, digester, counters, clock, urls, config) =>
      createTakingOfAlerts({
        unitOfWork,
        users,
        digester,
        counters,
        clock,
        alertUrl: (path, iid) => urls.alert(path, iid),
        groupByPayload: groupsByPayload(config),
      }),
    [
      TOKENS.unitOfWork,
      TOKENS.identityReaders,
      TOKENS.secretDigester,
      TOKENS.metrics,
      TOKENS.clock,
      TOKENS.webUrls,
      TOKENS.config,
    ],
  );
  bind(TOKENS.takingOfAlerts).toResolvedValue(
    (here, { inThisThread: database }, { startAlertThread }, address, config, counters, wakeUps, logger) => {
      if (database === undefined || startAlertThread === undefined)
        return { take: here, close: () => Promise.resolve() };
      const start = () =>
        startAlertThread(
          { database, baseUrl: address.baseUrl, groupByPayload: groupsByPayload(config) },
          { counters, jobsAreDue: () => wakeUps.jobs() },
        );
      return new AlertThreadOnDemand(here, start, logger);
    },
    [
      TOKENS.takeAlertsHere,
      TOKENS.database,
      TOKENS.threads,
      TOKENS.publicAddress,
      TOKENS.config,
      TOKENS.metrics,
      TOKENS.wakeUps,
      TOKENS.logger,
    ],
  );
  bind(TOKENS.alerts).toResolvedValue(
    ({ reader }, { users }, unitOfWork, { secrets, digester, secretBox }, clock, metrics, urls, config, { take }) => {
      const bot = new AlertBot(unitOfWork, users, clock);
      const limitAlerts = createAlertLimit(config.rateLimits.alerts);
      const incidents = new Incidents((path, iid) => urls.alert(path, iid));
      return {
        alerts: new Alerts(unitOfWork, incidents, bot, clock),
        alertReader: new KnexAlertReader(reader),
        alertIntegrations: new AlertIntegrations(unitOfWork, secrets, digester, secretBox, clock, {
          name: config.tier,
          premium: config.tier !== 'free',
        }),
        integrationReader: new KnexIntegrationReader(reader),
        trimDeliveries: new TrimDeliveries(unitOfWork, metrics),
        recordDelivery: new RecordDelivery(unitOfWork, clock, metrics),
        takeAlerts: take,
        takeByHand: createTakeByHand(take, limitAlerts),
        limitAlerts,
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
      TOKENS.takingOfAlerts,
    ],
  );
  bind(TOKENS.alertIntake).toResolvedValue(
    (alerts, { digester }, logger, config) =>
      createAlertIntake({
        ...alerts,
        digester,
        logger,
        payloadLimitBytes: config.alertPayloadLimitBytes,
      }),
    [TOKENS.alerts, TOKENS.secrecy, TOKENS.logger, TOKENS.config],
  );
});

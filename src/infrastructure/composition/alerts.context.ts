import { ContainerModule } from 'inversify';
import { AlertBot } from '../../application/alerts/alert-bot.js';
import { AlertIntegrations } from '../../application/alerts/alert-integrations.js';
import { Alerts } from '../../application/alerts/alerts.js';
import { Incidents } from '../../application/alerts/incidents.js';
import { RecordDelivery } from '../../application/alerts/record-delivery.js';
import { TrimDeliveries } from '../../application/alerts/trim-deliveries.js';
import { createAlertIntake } from '../../adapters/inbound/http/alert-intake/create-alert-intake.js';
import { createTakeByHand } from '../../adapters/inbound/http/alert-intake/take-by-hand.js';
import { createAlertIntegrationRoutes } from '../../adapters/inbound/http/api-v4/alerts/alert-integration-routes.js';
import { createAlertRoutes } from '../../adapters/inbound/http/api-v4/alerts/alert-routes.js';
import { createAlertLimit } from '../../adapters/inbound/http/middleware/alert-limit.js';
import { createWrongKeyLimit } from '../../adapters/inbound/http/middleware/wrong-key-limit.js';
import { addAlertPages } from '../../adapters/inbound/http/pages/alert-pages.js';
import { addOperationsSettingsPages } from '../../adapters/inbound/http/pages/alerts/operations-settings-pages.js';
import { KnexAlertReader } from '../../adapters/outbound/persistence/knex/alerts/knex-alert-reader.js';
import { KnexIntegrationReader } from '../../adapters/outbound/persistence/knex/alerts/knex-integration-repository.js';
import { AlertThreadOnDemand } from '../alert-thread/alert-thread-on-demand.js';
import type { Config } from '../configuration/config.js';
import { alertsStorage } from './alerts.storage.js';
import { ALERT_TOKENS } from './alerts.tokens.js';
import type { Context } from './context.js';
import { ENVIRONMENT_TOKENS } from './environments.tokens.js';
import { ERROR_TRACKING_TOKENS } from './error-tracking.tokens.js';
import { IDENTITY_TOKENS } from './identity.tokens.js';
import { createTakingOfAlerts } from './taking-alerts.js';
import { TOKENS } from './tokens.js';
import { WORKSPACE_TOKENS } from './workspace.tokens.js';

const groupsByPayload = ({ tier }: Config): boolean => tier !== 'free';

const alertsModule = new ContainerModule(({ bind }) => {
  bind(ALERT_TOKENS.takeAlertsHere).toResolvedValue(
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
      IDENTITY_TOKENS.identityReaders,
      TOKENS.secretDigester,
      TOKENS.metrics,
      TOKENS.clock,
      TOKENS.webUrls,
      TOKENS.config,
    ],
  );
  bind(ALERT_TOKENS.takingOfAlerts).toResolvedValue(
    (here, stored, { startAlertThread }, address, config, counters, wakeUps, logger) => {
      if (startAlertThread === undefined) return { take: here, close: () => Promise.resolve() };
      const start = async () => {
        // Asked for late: the storage may have moved.
        const { inThisThread: database } = stored;
        if (database === undefined) return undefined;
        return startAlertThread(
          { database, baseUrl: address.baseUrl, groupByPayload: groupsByPayload(config) },
          { counters, wake: (work) => wakeUps[work]?.() },
        );
      };
      return new AlertThreadOnDemand(here, start, logger);
    },
    [
      ALERT_TOKENS.takeAlertsHere,
      TOKENS.database,
      TOKENS.threads,
      TOKENS.publicAddress,
      TOKENS.config,
      TOKENS.metrics,
      TOKENS.wakeUps,
      TOKENS.logger,
    ],
  );
  bind(ALERT_TOKENS.alerts).toResolvedValue(
    (
      { reader },
      { users },
      unitOfWork,
      { secrets, digester, secretBox },
      clock,
      metrics,
      urls,
      config,
      { take },
      counting,
    ) => {
      const bot = new AlertBot(unitOfWork, users, clock);
      const limitAlerts = createAlertLimit(config.rateLimits.alerts, counting);
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
      IDENTITY_TOKENS.identityReaders,
      TOKENS.unitOfWork,
      TOKENS.secrecy,
      TOKENS.clock,
      TOKENS.metrics,
      TOKENS.webUrls,
      TOKENS.config,
      ALERT_TOKENS.takingOfAlerts,
      TOKENS.counting,
    ],
  );
  bind(ALERT_TOKENS.alertIntake).toResolvedValue(
    (alerts, { digester }, logger, config, counting) =>
      createAlertIntake({
        ...alerts,
        digester,
        logger,
        payloadLimitBytes: config.alertPayloadLimitBytes,
        countWrongKey: createWrongKeyLimit(config.rateLimits.signIn, counting),
      }),
    [ALERT_TOKENS.alerts, TOKENS.secrecy, TOKENS.logger, TOKENS.config, TOKENS.counting],
  );
});

/** Taking alerts, and what people do with them. */
export const alertsContext: Context<typeof alertsStorage> = {
  storage: alertsStorage,
  modules: [alertsModule],
  routes: (get) => {
    const parts = { ...get(WORKSPACE_TOKENS.workspace), ...get(ALERT_TOKENS.alerts), urls: get(TOKENS.webUrls) };
    return [...createAlertRoutes(parts), ...createAlertIntegrationRoutes(parts)];
  },
  pages: (get) => (pages) => {
    const parts = { ...get(WORKSPACE_TOKENS.workspace), ...get(ALERT_TOKENS.alerts), ...get(TOKENS.pageParts) };
    const { environmentReader: environments } = get(ENVIRONMENT_TOKENS.environments);
    addAlertPages(pages, { ...parts, environments });
    addOperationsSettingsPages(pages, { ...parts, ...get(ERROR_TRACKING_TOKENS.errorTracking) });
  },
  cleanUp: (get) => (stopping) => get(ALERT_TOKENS.alerts).trimDeliveries.execute(stopping),
};

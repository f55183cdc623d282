import { ALERT_COUNTERS } from '../../application/alerts/ports/alert-counters.js';
import { alertsFollowIncidents } from '../../application/alerts/alerts-follow-incidents.js';
import { KnexAlertRepository } from '../../adapters/outbound/persistence/knex/alerts/knex-alert-repository.js';
import { KnexAlertSettingsRepository } from '../../adapters/outbound/persistence/knex/alerts/knex-alert-settings-repository.js';
import { KnexDeliveryRepository } from '../../adapters/outbound/persistence/knex/alerts/knex-delivery-repository.js';
import { KnexIntegrationRepository } from '../../adapters/outbound/persistence/knex/alerts/knex-integration-repository.js';
import { defineStorage } from './storage.js';

export const alertsStorage = defineStorage({
  name: 'alerts',
  stores: {
    alerts: ({ session }) => new KnexAlertRepository(session),
    alertIntegrations: ({ session }) => new KnexIntegrationRepository(session),
    alertSettings: ({ session }) => new KnexAlertSettingsRepository(session),
    alertDeliveries: ({ session }) => new KnexDeliveryRepository(session),
  },
  subscribers: [alertsFollowIncidents],
  counters: ALERT_COUNTERS,
});

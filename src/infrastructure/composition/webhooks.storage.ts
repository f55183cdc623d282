import { WEBHOOK_COUNTERS } from '../../application/webhooks/ports/webhook-counters.js';
import { deliveriesFollowEvents } from '../../application/webhooks/deliveries-follow-events.js';
import { KnexWebhookDeliveryRepository } from '../../adapters/outbound/persistence/knex/webhooks/knex-webhook-delivery-repository.js';
import { KnexWebhookRepository } from '../../adapters/outbound/persistence/knex/webhooks/knex-webhook-repository.js';
import { defineStorage } from './storage.js';

export const webhooksStorage = defineStorage({
  name: 'webhooks',
  stores: {
    webhooks: ({ session }) => new KnexWebhookRepository(session),
    webhookDeliveries: ({ session, leave }) =>
      new KnexWebhookDeliveryRepository(session, () => leave('webhook deliveries')),
  },
  subscribers: [deliveriesFollowEvents],
  counters: WEBHOOK_COUNTERS,
});

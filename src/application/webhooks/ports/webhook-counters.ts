import type { CounterDeclarations, Counters } from '../../shared/ports/counters.js';

/** What becomes of deliveries. */
export const WEBHOOK_COUNTERS = {
  webhook_deliveries_total: {
    help: 'Attempts to deliver to a webhook, by outcome.',
    labels: { outcome: ['delivered', 'failed'] },
  },
} as const satisfies CounterDeclarations;

export type WebhookCounters = Counters<typeof WEBHOOK_COUNTERS>;

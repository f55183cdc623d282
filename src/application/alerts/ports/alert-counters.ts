import type { CounterDeclarations, Counters } from '../../shared/ports/counters.js';

/** What becomes of alerts. */
export const ALERT_COUNTERS = {
  alerts_total: {
    help: 'Alerts that arrived, by what became of them.',
    labels: {
      outcome: ['opened', 'counted', 'resolved', 'nothing_to_resolve', 'accepted', 'refused', 'throttled'],
    },
  },
} as const satisfies CounterDeclarations;

export type AlertCounters = Counters<typeof ALERT_COUNTERS>;

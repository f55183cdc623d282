import type { CounterDeclarations, Counters } from '../../shared/ports/counters.js';

/** What becomes of updates of mirrors. */
export const MIRROR_COUNTERS = {
  mirror_updates_total: {
    help: 'Attempts to push to a mirror, by outcome.',
    labels: { outcome: ['finished', 'failed'] },
  },
  mirror_pulls_total: {
    help: 'Attempts to update a project from a repository elsewhere, by outcome.',
    labels: { outcome: ['finished', 'failed'] },
  },
} as const satisfies CounterDeclarations;

export type MirrorCounters = Counters<typeof MIRROR_COUNTERS>;

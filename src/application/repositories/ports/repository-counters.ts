import type { CounterDeclarations, Counters } from '../../shared/ports/counters.js';

/** What is done with code. */
export const REPOSITORY_COUNTERS = {
  pushes_total: {
    help: 'Pushes of code, by outcome.',
    labels: { outcome: ['ok', 'declined', 'unpack_failed'] },
  },
  housekeeping_total: {
    help: 'Works on the files of repositories, by outcome.',
    labels: { work: ['gathered', 'repacked', 'removed'], outcome: ['done', 'failed'] },
  },
} as const satisfies CounterDeclarations;

export type RepositoryCounters = Counters<typeof REPOSITORY_COUNTERS>;

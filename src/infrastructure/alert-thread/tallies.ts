import type { ALERT_COUNTERS, AlertCounters } from '../../application/alerts/ports/alert-counters.js';
import type { LabelsOf } from '../../application/shared/ports/counters.js';
import type { Count } from './messages.js';

/** Counts that are kept elsewhere: gathered here until they are taken there. */
export class Tallies implements AlertCounters {
  readonly #gathered = new Map<string, Count>();

  count<Name extends keyof typeof ALERT_COUNTERS>(
    name: Name,
    labels?: LabelsOf<typeof ALERT_COUNTERS, Name>,
    by = 1,
  ): void {
    const key = `${name} ${Object.values({ ...labels }).join(' ')}`;
    this.#gathered.set(key, [name, labels, (this.#gathered.get(key)?.[2] ?? 0) + by]);
  }

  take(): readonly Count[] {
    const counts = [...this.#gathered.values()];
    this.#gathered.clear();
    return counts;
  }
}

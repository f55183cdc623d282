import type { Counters, CounterName, LabelsOf } from '../../application/shared/ports/counters.js';
import type { Count } from './messages.js';

/** Counts that are kept elsewhere: gathered here until they are taken there. */
export class Tallies implements Counters {
  readonly #gathered = new Map<string, Count>();

  count<Name extends CounterName>(name: Name, labels?: LabelsOf<Name>, by = 1): void {
    const given: Readonly<Record<string, string>> = { ...labels };
    const key = `${name} ${Object.values(given).join(' ')}`;
    this.#gathered.set(key, [name, given, (this.#gathered.get(key)?.[2] ?? 0) + by]);
  }

  take(): readonly Count[] {
    const counts = [...this.#gathered.values()];
    this.#gathered.clear();
    return counts;
  }
}

import { median, withSpread } from './statistics.js';

const ROUNDS = 5;

/** How much was done in a round, and what it took of the processor. */
export interface Done {
  readonly perSecond: number;
  /** Microseconds of each request. */
  readonly processor: number;
}

/** Answers a figure of one round. */
export type Measurement = () => Promise<number>;
export type CostedMeasurement = () => Promise<Done>;

/** What a process works for while something is measured; all its threads count. */
export const withProcessorTime =
  (process: { processorTime(): number }, measure: () => Promise<number>, seconds: number): CostedMeasurement =>
  async () => {
    const before = process.processorTime();
    const perSecond = await measure();
    return { perSecond, processor: ((process.processorTime() - before) * 1_000) / (perSecond * seconds) };
  };

/** What was measured in turns, so that what the machine did meanwhile fell on all alike. */
class Measured {
  constructor(
    private readonly seen: ReadonlyMap<string, readonly number[]>,
    /** Microseconds of the processor a request, where they were measured. */
    private readonly costs: ReadonlyMap<string, readonly number[]>,
  ) {}

  median(name: string): number {
    return median(this.#of(name));
  }

  /** Of each round by itself: what slowed one down slowed its neighbour down too. */
  ratio(name: string, against: string): number {
    return median(this.#ratios(name, against));
  }

  describeRatio(name: string, against: string): string {
    const ratios = [...this.#ratios(name, against)].sort((one, other) => one - other);
    const [least, most] = [ratios[0] ?? NaN, ratios.at(-1) ?? NaN];
    return `  ${name} ÷ ${against}: ${median(ratios).toFixed(2)} (${least.toFixed(2)}–${most.toFixed(2)})\n`;
  }

  #ratios(name: string, against: string): readonly number[] {
    return this.#of(name).map((value, round) => value / (this.#of(against)[round] ?? NaN));
  }

  /** One line each, with the least and the most. */
  describe(unit: string): string {
    return [...this.seen]
      .map(([name, values]) => {
        const costs = this.costs.get(name) ?? [];
        const cost = costs.length === 0 ? '' : `, ${withSpread(costs)} µs of the processor each`;
        return `  ${name.padEnd(44)} ${withSpread(values)} ${unit}${cost}\n`;
      })
      .join('');
  }

  costRatio(name: string, against: string): number {
    const others = this.costs.get(against) ?? [];
    return median((this.costs.get(name) ?? []).map((value, round) => value / (others[round] ?? NaN)));
  }

  describeCostRatio(name: string, against: string): string {
    return `  ${name} ÷ ${against}, processor time: ${this.costRatio(name, against).toFixed(2)}\n`;
  }

  #of(name: string): readonly number[] {
    return this.seen.get(name) ?? [];
  }
}

export const interleave = async (
  measurements: ReadonlyMap<string, Measurement | CostedMeasurement>,
): Promise<Measured> => {
  const seen = new Map<string, number[]>([...measurements.keys()].map((name) => [name, []]));
  const costs = new Map<string, number[]>([...measurements.keys()].map((name) => [name, []]));
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [name, measure] of measurements) {
      const value = await measure();
      // The first round warms up.
      if (round === 0) continue;
      seen.get(name)?.push(typeof value === 'number' ? value : value.perSecond);
      if (typeof value !== 'number') costs.get(name)?.push(value.processor);
    }
  }
  return new Measured(seen, costs);
};

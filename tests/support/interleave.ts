import { median, withSpread } from './statistics.js';

const ROUNDS = 5;

/** Answers a figure of one round. */
export type Measurement = () => Promise<number>;

/** What was measured in turns, so that what the machine did meanwhile fell on all alike. */
class Measured {
  constructor(private readonly seen: ReadonlyMap<string, readonly number[]>) {}

  median(name: string): number {
    return median(this.#of(name));
  }

  /** Of each round by itself: what slowed one down slowed its neighbour down too. */
  ratio(name: string, against: string): number {
    return median(this.#of(name).map((value, round) => value / (this.#of(against)[round] ?? NaN)));
  }

  describeRatio(name: string, against: string): string {
    return `  ${name} ÷ ${against}: ${this.ratio(name, against).toFixed(2)}\n`;
  }

  /** One line each, with the least and the most. */
  describe(unit: string): string {
    return [...this.seen].map(([name, values]) => `  ${name.padEnd(44)} ${withSpread(values)} ${unit}\n`).join('');
  }

  #of(name: string): readonly number[] {
    return this.seen.get(name) ?? [];
  }
}

export const interleave = async (measurements: ReadonlyMap<string, Measurement>): Promise<Measured> => {
  const seen = new Map<string, number[]>([...measurements.keys()].map((name) => [name, []]));
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [name, measure] of measurements) {
      const value = await measure();
      // The first round warms up.
      if (round > 0) seen.get(name)?.push(value);
    }
  }
  return new Measured(seen);
};

import { setTimeout as sleep } from 'node:timers/promises';
import { LeanConnection } from './lean-connection.js';
import type { Load } from './load.js';
import { numberedBodies } from './numbered-bodies.js';

const CONNECTIONS = 16;
const TICK_MS = 1;
const P99 = 0.99;

export interface Answered {
  /** When it was to be sent, as `performance.now` has it. */
  readonly due: number;
  /** How long it took from then on, in milliseconds: whoever has to wait for a connection waits as well. */
  readonly took: number;
}

/** How long 99 of 100 took at most, in milliseconds. */
export const p99Of = (answers: readonly Answered[]): number => {
  const sorted = answers.map(({ took }) => took).sort((one, other) => one - other);
  const most = sorted[Math.floor(sorted.length * P99)] ?? Number.NaN;
  return Math.round(most * 10) / 10;
};

/** How long the slowest of them took, in milliseconds. */
export const longestOf = (answers: readonly Answered[]): number =>
  Math.round(answers.reduce((longest, { took }) => Math.max(longest, took), 0));

/**
 * Repeats a request at a steady rate, evenly, whether or not those before were answered: as people and machines who know nothing of each
 * other do. Most programs that measure send what a second has to send as fast as they can, and rest then.
 */
export class SteadyLoad {
  readonly #answers: Answered[] = [];
  readonly #connections: readonly LeanConnection[];
  readonly #idle: LeanConnection[];
  /** When those were to be sent that no connection was free for. */
  readonly #waiting: number[] = [];
  readonly #bodies: () => string;
  readonly #running: Promise<void>;
  #onTheWay = 0;
  #failed = 0;
  #goesOn = true;

  constructor(
    private readonly load: Load,
    private readonly perSecond: number,
  ) {
    this.#connections = Array.from({ length: load.connections ?? CONNECTIONS }, () => new LeanConnection(load));
    this.#idle = [...this.#connections];
    const left = [...(load.bodies ?? [])];
    this.#bodies = load.bodies === undefined ? numberedBodies(load.body) : () => left.pop() ?? '';
    this.#running = this.#run();
  }

  /** Those whose time to be sent was between two moments. */
  between(from: number, to: number): readonly Answered[] {
    return this.#answers.filter(({ due }) => due >= from && due < to);
  }

  /** Ends once all bodies were sent, where there are so many and no more. */
  allSent(): Promise<void> {
    return this.#running;
  }

  /** Ends it once all were answered. @throws Error when any failed. */
  async stop(): Promise<void> {
    this.#goesOn = false;
    await this.#running;
    while (this.#onTheWay > 0) await sleep(TICK_MS);
    for (const connection of this.#connections) connection.close();
    if (this.#failed > 0) throw new Error(`${this.#failed} requests failed.`);
  }

  async #run(): Promise<void> {
    const every = 1_000 / this.perSecond;
    let left = this.load.bodies?.length ?? Infinity;
    for (let due = performance.now(); this.#goesOn && left > 0; await sleep(TICK_MS))
      for (; due <= performance.now() && left > 0; due += every, left -= 1) this.#send(due);
  }

  #send(due: number): void {
    this.#onTheWay += 1;
    const connection = this.#idle.pop();
    if (connection === undefined) this.#waiting.push(due);
    else this.#sendOver(connection, due);
  }

  #sendOver(connection: LeanConnection, due: number): void {
    const body = this.load.body === undefined && this.load.bodies === undefined ? undefined : this.#bodies();
    connection.send(body, (succeeded) => {
      this.#onTheWay -= 1;
      if (succeeded) this.#answers.push({ due, took: performance.now() - due });
      else this.#failed += 1;
      const next = this.#waiting.shift();
      if (next === undefined) this.#idle.push(connection);
      else this.#sendOver(connection, next);
    });
  }
}

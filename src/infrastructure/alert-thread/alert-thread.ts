import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import type { SentPayload, TakeAlertsResult } from '../../application/alerts/take-alerts.js';
import type { AlertCounters } from '../../application/alerts/ports/alert-counters.js';
import { Unavailable } from '../../domain/shared/domain-error.js';
import type { LeftWork } from '../composition/storage.js';
import { startThread } from '../start-thread.js';
import { pack, resultOf, type Answer, type Asked, type Numbered, type ThreadSettings, type Told } from './messages.js';

/** Payloads that wait for their answer: more come only while the thread stands still. */
const MOST_WAITING = 4_000;
/** Payloads that are handed over before the turn ends: else both threads would wait for each other by turns in a storm. */
const PORTION = 32;
const LOOK_AGAIN_MS = 10;

export interface ThreadParts {
  readonly counters: AlertCounters;
  /** Called after commits that left such work. */
  readonly wake: (work: LeftWork) => void;
}

/**
 * Takes alerts in a thread of its own, with a connection of its own: requests are read and answered here meanwhile. What arrives in
 * one turn of the event loop goes there in few messages, and comes back in few.
 */
export class AlertThread {
  /** Who waits for the answer of a number. */
  readonly #asking = new Map<number, (answer: Answer) => void>();
  #gathered: Numbered[] = [];
  #last = 0;

  private constructor(
    private readonly worker: Worker,
    private readonly parts: ThreadParts,
  ) {
    worker.on('message', (told: Told) => this.#hear(told));
  }

  /** @throws Error when there can be no thread, or its database does not open. */
  static async start(settings: ThreadSettings, parts: ThreadParts): Promise<AlertThread> {
    return new AlertThread(await startThread(new URL('./run-alert-thread.js', import.meta.url), settings), parts);
  }

  /** @throws Unavailable */
  async take(payload: SentPayload): Promise<TakeAlertsResult> {
    if (this.#asking.size >= MOST_WAITING) throw new Unavailable('database');
    const answer = new Promise<Answer>((resolve) => {
      this.#asking.set((this.#last += 1), resolve);
      const gathered = this.#gathered.push([this.#last, payload]);
      if (gathered === 1) setImmediate(() => this.#ask());
      else if (gathered === PORTION) this.#ask();
    });
    return resultOf(await answer);
  }

  /** Lets go of the database when everything that was asked has been answered. */
  async close(): Promise<void> {
    while (this.#asking.size > 0) await sleep(LOOK_AGAIN_MS);
    const ended = once(this.worker, 'exit');
    this.worker.postMessage('no more' satisfies Asked);
    await ended;
  }

  #ask(): void {
    const gathered = this.#gathered;
    if (gathered.length === 0) return;
    this.#gathered = [];
    this.worker.postMessage(pack(gathered) satisfies Asked);
  }

  #hear(told: Told): void {
    for (const [name, labels, by] of told.counts) this.parts.counters.count(name, labels, by);
    for (const work of told.left) this.parts.wake(work);
    for (const [number, answer] of JSON.parse(told.answers) as readonly (readonly [number, Answer])[]) {
      this.#asking.get(number)?.(answer);
      this.#asking.delete(number);
    }
  }
}

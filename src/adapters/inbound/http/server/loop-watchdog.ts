import type { SharedCounters } from '../../../../application/shared/ports/shared-counters.js';
import type { Logger } from '../../../../application/shared/ports/logger.js';
import type { Exchange } from './exchange.js';

export interface LoopWatchdogParts {
  readonly logger: Logger;
  readonly counters: SharedCounters;
}

const BEAT_MS = 50;
/** Others wait noticeably from here on. */
const LONG_DELAY_MS = 200;
const PAUSE_BETWEEN_LINES_MS = 10_000;
const MOST_ROUTES = 10;
const WINDOW_MS = 30_000;

/**
 * Tells in the log what held the event loop: the declared routes of the requests that were in hand meanwhile. A request pays for two
 * changes of a set.
 */
export class LoopWatchdog {
  readonly #inHand = new Set<Exchange>();
  /** Ended since the last beat, after a time in which they may have held the loop. */
  #ended: Exchange[] = [];
  #beatAt = 0;
  #usage = process.cpuUsage();
  #lineAt = -Infinity;
  #untold = 0;
  #windowBeganAt = 0;
  /** The longest delay of this window, and of the one before. */
  #longestMs = 0;
  #longestBeforeMs = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly parts: LoopWatchdogParts) {}

  start(): void {
    this.#beatAt = performance.now();
    this.#usage = process.cpuUsage();
    this.#timer = setInterval(() => this.#beat(), BEAT_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** The longest delay of the last 30 to 60 seconds. */
  get longestDelaySeconds(): number {
    return Math.max(this.#longestMs, this.#longestBeforeMs) / 1_000;
  }

  begin(exchange: Exchange): void {
    this.#inHand.add(exchange);
  }

  end(exchange: Exchange, durationMs: number): void {
    this.#inHand.delete(exchange);
    // What holds the loop may have been answered before the next beat.
    if (durationMs >= LONG_DELAY_MS && this.#ended.length < MOST_ROUTES) this.#ended.push(exchange);
  }

  #beat(): void {
    const now = performance.now();
    const delayMs = now - this.#beatAt - BEAT_MS;
    this.#remember(now, delayMs);
    if (delayMs >= LONG_DELAY_MS) this.#tell(now, delayMs);
    this.#beatAt = now;
    this.#usage = process.cpuUsage();
    this.#ended = [];
  }

  #remember(now: number, delayMs: number): void {
    if (now - this.#windowBeganAt >= WINDOW_MS) {
      this.#longestBeforeMs = this.#longestMs;
      this.#longestMs = 0;
      this.#windowBeganAt = now;
    }
    this.#longestMs = Math.max(this.#longestMs, delayMs);
  }

  #tell(now: number, delayMs: number): void {
    this.parts.counters.count('event_loop_delays_total');
    if (now - this.#lineAt < PAUSE_BETWEEN_LINES_MS) {
      this.#untold += 1;
      return;
    }
    const { user, system } = process.cpuUsage(this.#usage);
    this.parts.logger.warn('event loop delayed', {
      delayMs: Math.round(delayMs),
      // Much less than the delay: the machine, or the disk, was what the process waited for.
      cpuMs: Math.round((user + system) / 1_000),
      routes: this.#routes(),
      // So many since the last line that have none of their own.
      untold: this.#untold,
    });
    this.#lineAt = now;
    this.#untold = 0;
  }

  #routes(): string {
    const names = new Set([...this.#ended, ...this.#inHand].map(({ route }) => route));
    return [...names].slice(0, MOST_ROUTES).join(', ');
  }
}

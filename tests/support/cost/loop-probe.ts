import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { median } from '../statistics.js';

const PAUSE_MS = 1;
const BASE_SAMPLES = 100;
const RECONNECT_MS = 5;
/** The kernel adds up the times of a thread that runs on once a tick. */
const TICK_MS = 5;
const QUESTION = 'GET /-/liveness HTTP/1.1\r\nHost: probe\r\n\r\n';

/** What the kernel says of the thread that answers, since it began, in milliseconds. */
export interface ThreadTimes {
  /** It stood ready to run while other programs had the processors: a machine that is shared is no fault of any request. */
  readonly queuedMs: number;
  /** It ran: a thread that never stands still for a disk keeps others waiting no longer than this. Absent where it may. */
  readonly ranMs?: number;
}

const UNKNOWN: ThreadTimes = { queuedMs: 0 };

/**
 * An honest client on a connection of its own, which asks for the same light answer all the time: how long it waits is how long any
 * other client would wait, too.
 */
export class LoopProbe {
  #socket: Socket | undefined;
  #askedAt = 0;
  #asked = UNKNOWN;
  #worst = 0;
  #answers = 0;
  #closed = false;
  /** What an answer takes when nothing is going on, in milliseconds. */
  baseMs = 0;

  private constructor(
    private readonly port: number,
    private readonly times: () => ThreadTimes,
  ) {}

  static async start(port: number, times: () => ThreadTimes = () => UNKNOWN): Promise<LoopProbe> {
    const probe = new LoopProbe(port, times);
    probe.#connect();
    await probe.#learnBase();
    return probe;
  }

  /** Forgets what was seen so far. */
  reset(): void {
    this.#worst = 0;
  }

  /** The longest wait since the last reset beyond the usual one, with the one that goes on. */
  get worstMs(): number {
    return Math.max(0, Math.max(this.#worst, this.#askedAt === 0 ? 0 : this.#waited()) - this.baseMs);
  }

  /** Resolves with whether a question that was asked from now on was answered in time. */
  async answers(patienceMs: number): Promise<boolean> {
    const giveUpAt = performance.now() + patienceMs;
    // The answer under way may have been written before.
    const enough = this.#answers + 2;
    while (this.#answers < enough) {
      if (performance.now() > giveUpAt) return false;
      await sleep(1);
    }
    return true;
  }

  close(): void {
    this.#closed = true;
    this.#socket?.destroy();
  }

  async #learnBase(): Promise<void> {
    const seen: number[] = [];
    while (seen.length < BASE_SAMPLES) {
      this.reset();
      if (!(await this.answers(10_000))) throw new Error('The service does not answer its probe.');
      seen.push(this.#worst);
    }
    this.baseMs = median(seen);
    this.reset();
  }

  #connect(): void {
    if (this.#closed) return;
    this.#askedAt = 0;
    const socket = connect(this.port, '127.0.0.1', () => this.#ask());
    socket.setNoDelay(true);
    socket.on('data', () => this.#hear());
    socket.on('error', () => undefined);
    socket.once('close', () => setTimeout(() => this.#connect(), RECONNECT_MS));
    this.#socket = socket;
  }

  #ask(): void {
    if (this.#closed) return;
    this.#asked = this.times();
    this.#askedAt = performance.now();
    this.#socket?.write(QUESTION);
  }

  #waited(): number {
    const now = this.times();
    const waited = performance.now() - this.#askedAt - Math.max(0, now.queuedMs - this.#asked.queuedMs);
    return Math.max(0, Math.min(waited, ranBetween(this.#asked, now)));
  }

  // Head and body of the answer go out in one piece.
  #hear(): void {
    if (this.#askedAt === 0) return;
    this.#worst = Math.max(this.#worst, this.#waited());
    this.#askedAt = 0;
    this.#answers += 1;
    setTimeout(() => this.#ask(), PAUSE_MS);
  }
}

const ranBetween = ({ ranMs: before }: ThreadTimes, { ranMs: after }: ThreadTimes): number =>
  before === undefined || after === undefined ? Infinity : after - before + TICK_MS;

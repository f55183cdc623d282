import type { Clock } from './ports/clock.js';
import type { SecretSource } from './ports/secrets.js';
import { RunningWorks } from './running-works.js';
import { whileHeld, type Pause } from './while-held.js';

/** One node's for a while. */
export interface Lease {
  readonly holder: string;
  readonly now: Date;
  readonly until: Date;
}

/** Works of one kind, which wait in the database for a node. */
export interface Works<Found, Whose> {
  readonly atOnce: number;
  /** So that what takes its time for one leaves room for others. */
  readonly atOnceOfOne: number;
  readonly whose: (found: Found) => Whose;
  /** One that is due, of nobody who has enough on their way. */
  readonly lease: (lease: Lease, exceptOf: readonly Whose[]) => Promise<Found | undefined>;
  /** False where it was lost, or is to go on no more. */
  readonly renew: (found: Found, lease: Lease) => Promise<boolean>;
  /** Outside every transaction; it is to end with the signal. */
  readonly attempt: (found: Found, holder: string, signal: AbortSignal) => Promise<void>;
  /** @param failure what the attempt threw; undefined where it went well. */
  readonly note: (found: Found, holder: string, failure: Error | undefined) => Promise<void>;
}

export interface LeasedWorksParts {
  readonly secrets: SecretSource;
  readonly clock: Clock;
  readonly pause: Pause;
}

/** Renewed while a work goes on: one that a crash left is taken by another node after that. */
const LEASE_MS = 60_000;

/** Does what waits: each is leased, attempted while its lease is renewed, and noted. */
export class LeasedWorks<Found, Whose> {
  readonly #running = new Set<AbortController>();
  #stopping = false;

  constructor(
    private readonly parts: LeasedWorksParts,
    private readonly works: Works<Found, Whose>,
  ) {}

  /** What fails from now on failed for that alone. */
  get isStopping(): boolean {
    return this.#stopping;
  }

  /** Begins nothing more, and breaks off what runs. */
  stop(): void {
    this.#stopping = true;
    for (const end of this.#running) end.abort();
  }

  /** Answers how many were tried. */
  async runDue(): Promise<number> {
    const { atOnce, atOnceOfOne, whose, lease } = this.works;
    const running = new RunningWorks<Whose>(atOnce, atOnceOfOne);
    for (let tried = 0; ;) {
      const holder = this.parts.secrets.token();
      const found = this.#stopping || running.isFull ? undefined : await lease(this.#leaseOf(holder), running.full);
      if (found !== undefined) {
        running.add(whose(found), this.#do(found, holder));
        tried += 1;
      } else if (!(await running.nextEnd())) return tried;
    }
  }

  #leaseOf(holder: string): Lease {
    const now = this.parts.clock.now();
    return { holder, now, until: new Date(now.getTime() + LEASE_MS) };
  }

  async #do(found: Found, holder: string): Promise<void> {
    const end = new AbortController();
    this.#running.add(end);
    try {
      await this.works.note(found, holder, await this.#attempt(found, holder, end));
    } finally {
      this.#running.delete(end);
    }
  }

  /** Answers what it failed with. */
  async #attempt(found: Found, holder: string, end: AbortController): Promise<Error | undefined> {
    const renew = () => this.works.renew(found, this.#leaseOf(holder));
    const hold = { renew, everyMs: LEASE_MS / 4, pause: this.parts.pause, end };
    try {
      await whileHeld(hold, () => this.works.attempt(found, holder, end.signal));
      return undefined;
    } catch (failure) {
      return failure instanceof Error ? failure : new Error(String(failure));
    } finally {
      // What somebody elsewhere still sends nobody reads any more.
      end.abort();
    }
  }
}

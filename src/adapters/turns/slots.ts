import { Overloaded } from '../../domain/shared/domain-error.js';

const WAIT_MS = 30_000;
const RETRY_AFTER_SECONDS = 10;

interface Waiting {
  readonly owner: string;
  readonly take: () => void;
}

/** Bounds how much is done at once, in all and for one owner; the rest waits in line, for half a minute unless told otherwise. */
export class Slots {
  readonly #waiting: Waiting[] = [];
  readonly #ofOwner = new Map<string, number>();
  #taken = 0;

  constructor(
    private readonly most: number,
    private readonly mostOfOwner: number,
    private readonly waitMs = WAIT_MS,
  ) {}

  /** Takes a slot; what it answers gives the slot back. @throws Overloaded when none falls free in time. */
  async take(owner: string): Promise<() => void> {
    if (this.#isFree(owner)) this.#count(owner, 1);
    else await this.#wait(owner);
    let given = false;
    return () => {
      if (given) return;
      given = true;
      this.#count(owner, -1);
      this.#next();
    };
  }

  /** Holds a slot while the work runs. */
  async during<Result>(owner: string, work: () => Promise<Result>): Promise<Result> {
    const give = await this.take(owner);
    try {
      return await work();
    } finally {
      give();
    }
  }

  #isFree(owner: string): boolean {
    return this.#taken < this.most && (this.#ofOwner.get(owner) ?? 0) < this.mostOfOwner;
  }

  #count(owner: string, by: 1 | -1): void {
    this.#taken += by;
    const ofOwner = (this.#ofOwner.get(owner) ?? 0) + by;
    if (ofOwner === 0) this.#ofOwner.delete(owner);
    else this.#ofOwner.set(owner, ofOwner);
  }

  #wait(owner: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        owner,
        take: () => {
          clearTimeout(timer);
          this.#count(owner, 1);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(new Overloaded(RETRY_AFTER_SECONDS));
      }, this.waitMs);
      this.#waiting.push(waiting);
    });
  }

  #next(): void {
    const index = this.#waiting.findIndex(({ owner }) => this.#isFree(owner));
    if (index === -1) return;
    this.#waiting.splice(index, 1)[0]?.take();
    this.#next();
  }
}

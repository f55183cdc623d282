import { Overloaded } from '../../../domain/shared/domain-error.js';

const WAIT_MS = 30_000;
const RETRY_AFTER_SECONDS = 10;

interface Waiting {
  readonly store: string;
  readonly take: () => void;
}

/** Bounds how many children run at once, in all and for one store; the others wait in line for half a minute. */
export class Slots {
  readonly #waiting: Waiting[] = [];
  readonly #ofStore = new Map<string, number>();
  #taken = 0;

  constructor(
    private readonly most: number,
    private readonly mostOfStore: number,
  ) {}

  /** @throws Overloaded when none falls free in time. */
  async take(store: string): Promise<() => void> {
    if (this.#isFree(store)) this.#count(store, 1);
    else await this.#wait(store);
    let given = false;
    return () => {
      if (given) return;
      given = true;
      this.#count(store, -1);
      this.#next();
    };
  }

  /** Holds a slot while the work runs. */
  async during<Result>(store: string, work: () => Promise<Result>): Promise<Result> {
    const give = await this.take(store);
    try {
      return await work();
    } finally {
      give();
    }
  }

  #isFree(store: string): boolean {
    return this.#taken < this.most && (this.#ofStore.get(store) ?? 0) < this.mostOfStore;
  }

  #count(store: string, by: 1 | -1): void {
    this.#taken += by;
    const ofStore = (this.#ofStore.get(store) ?? 0) + by;
    if (ofStore === 0) this.#ofStore.delete(store);
    else this.#ofStore.set(store, ofStore);
  }

  #wait(store: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        store,
        take: () => {
          clearTimeout(timer);
          this.#count(store, 1);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(new Overloaded(RETRY_AFTER_SECONDS));
      }, WAIT_MS);
      this.#waiting.push(waiting);
    });
  }

  #next(): void {
    const index = this.#waiting.findIndex(({ store }) => this.#isFree(store));
    if (index === -1) return;
    this.#waiting.splice(index, 1)[0]?.take();
    this.#next();
  }
}

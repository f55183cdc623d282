import { NO_OBJECT } from '../../../domain/repositories/object-id.js';
import { CatFile } from './cat-file.js';
import type { Git } from './git.js';
import { storesNamed } from './store-folders.js';

const OF_STORE = 2;
const MOST = 64;
const IDLE_MS = 60_000;
const LOOK_MS = 10_000;
/** Longer than anybody waits between one question and the next. */
const LEAVE_MS = 5_000;
const RETIRE_AFTER_BYTES = 64 * 1024 * 1024;

/** Living `cat-file` processes of the stores that were read last: two a store, 64 in all, gone after a minute without a question. */
export class CatFilePool {
  readonly #ofStore = new Map<string, Promise<CatFile>[]>();
  /** No longer handed out, and ended when nobody has asked them anything for a while. */
  readonly #leaving = new Set<Promise<CatFile>>();
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly git: Git) {}

  async of(store: string): Promise<CatFile> {
    this.#timer ??= setInterval(() => void this.#retire(), LOOK_MS).unref();
    const known = this.#ofStore.get(store) ?? [];
    // Used last goes last.
    this.#ofStore.delete(store);
    this.#ofStore.set(store, known);
    const living: CatFile[] = [];
    for (const starting of [...known]) {
      const process = await starting.catch(() => undefined);
      if (process?.alive === true && process.answered < RETIRE_AFTER_BYTES) living.push(process);
      else this.#forget(store, starting);
    }
    const idle = living.find(({ busy }) => busy === 0);
    if (idle !== undefined) return idle;
    const now = this.#ofStore.get(store) ?? known;
    if (now.length < OF_STORE) return this.#start(store, now);
    return living.reduce((least, each) => (each.busy < least.busy ? each : least), living[0] ?? (await now[0]!));
  }

  /** Lets go of the packs of a store, which maintenance has replaced, or of the store itself. Who was handed a process may use it still. */
  forgetStore(store: string): void {
    for (const [name, all] of this.#ofStore) {
      if (name !== store && !storesNamed(name).includes(store)) continue;
      for (const starting of all) this.#leaving.add(starting);
      this.#ofStore.delete(name);
    }
  }

  close(): void {
    clearInterval(this.#timer);
    for (const store of [...this.#ofStore.keys()]) this.forgetStore(store);
    for (const starting of this.#leaving) end(starting);
  }

  #start(store: string, known: Promise<CatFile>[]): Promise<CatFile> {
    const starting = this.git
      .start(store, { fixed: ['cat-file', '--batch-command', '--buffer'] }, { deadlineMs: null, ofTrees: true })
      .then((child) => begun(new CatFile(child)));
    known.push(starting);
    this.#ofStore.set(store, known);
    starting.catch(() => this.#forget(store, starting));
    const [oldest] = this.#ofStore.keys();
    if (this.#count() > MOST && oldest !== undefined && oldest !== store) this.forgetStore(oldest);
    return starting;
  }

  #count(): number {
    return [...this.#ofStore.values()].reduce((sum, { length }) => sum + length, 0);
  }

  #forget(store: string, starting: Promise<CatFile>): void {
    const left = (this.#ofStore.get(store) ?? []).filter((each) => each !== starting);
    if (left.length === 0) this.#ofStore.delete(store);
    else this.#ofStore.set(store, left);
    this.#leaving.add(starting);
  }

  async #retire(): Promise<void> {
    for (const starting of this.#leaving) {
      const process = await starting.catch(() => undefined);
      if (process?.alive === true && (process.busy > 0 || performance.now() - process.usedAt < LEAVE_MS)) continue;
      this.#leaving.delete(starting);
      process?.close();
    }
    for (const [store, all] of this.#ofStore)
      for (const starting of all) {
        const process = await starting.catch(() => undefined);
        if (process === undefined || (process.busy === 0 && performance.now() - process.usedAt > IDLE_MS))
          this.#forget(store, starting);
      }
  }
}

const end = (starting: Promise<CatFile>): void => {
  starting.then(
    (process) => process.close(),
    () => undefined,
  );
};

/** One that has answered: where git finds no store it starts all the same, and dies a moment later with whatever it was asked. */
const begun = async (process: CatFile): Promise<CatFile> => {
  await process.info(NO_OBJECT);
  return process;
};

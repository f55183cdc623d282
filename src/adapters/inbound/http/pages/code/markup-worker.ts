import { Worker } from 'node:worker_threads';

export type MarkupTask =
  | { readonly kind: 'code'; readonly name: string; readonly text: string }
  | ({ readonly kind: 'markdown'; readonly text: string } & MarkdownPlace)
  | ({ readonly kind: 'prose'; readonly text: string } & ProsePlace)
  | { readonly kind: 'loose' | 'commonmark'; readonly text: string };

/** Where a text in Markdown lies: its links are about files beside it. */
export interface MarkdownPlace {
  /** Address of the top of its version, for links to files. */
  readonly blobs: string;
  /** The same, for pictures. */
  readonly raws: string;
  readonly folder: string;
}

/** The same for what people write about a project, with the addresses of what they name, such as `#12`. */
export interface ProsePlace extends MarkdownPlace {
  readonly references: Readonly<Record<string, string>>;
  /** Beginnings of addresses that the reader may not open: they are no links. */
  readonly closed: readonly string[];
}

interface Waiting {
  readonly task: MarkupTask;
  readonly answer: (made: unknown) => void;
}

type Told = { readonly ready: true } | { readonly made: unknown };

const PROGRAM = new URL('./markup-thread.js', import.meta.url);
const MOST_WAITING = 64;
const DEADLINE_MS = 3_000;
const IDLE_MS = 30_000;
const HEAP_MB = 128;

/** A thread that makes HTML, one text at a time, and is ended when one takes too long. It starts when it is first needed. */
export class MarkupWorker {
  readonly #waiting: Waiting[] = [];
  #thread: Worker | undefined;
  #ready = false;
  #current: Waiting | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** Undefined where it can't be made, or not in time: the text is to be shown as it was written. */
  make(task: MarkupTask): Promise<unknown> {
    if (this.#waiting.length >= MOST_WAITING) return Promise.resolve(undefined);
    return new Promise((answer) => {
      this.#waiting.push({ task, answer });
      this.#next();
    });
  }

  close(): void {
    this.#end();
    for (const { answer } of this.#waiting.splice(0)) answer(undefined);
  }

  #next(): void {
    if (this.#current !== undefined || this.#waiting.length === 0) return;
    this.#thread ??= this.#start();
    if (!this.#ready) return;
    this.#current = this.#waiting.shift();
    this.#after(DEADLINE_MS, () => this.#restart());
    this.#thread.postMessage(this.#current?.task);
  }

  #start(): Worker {
    const thread = new Worker(PROGRAM, { resourceLimits: { maxOldGenerationSizeMb: HEAP_MB }, env: {}, execArgv: [] });
    thread.unref();
    thread.on('message', (told: Told) => this.#hear(told));
    // It ran out of memory, or could not begin: `exit` follows.
    thread.on('error', () => undefined);
    thread.on('exit', () => {
      if (this.#thread !== thread) return;
      const began = this.#ready;
      this.#end();
      // One that can't begin would be started for ever.
      if (began) this.#next();
      else this.close();
    });
    return thread;
  }

  #hear(told: Told): void {
    if ('ready' in told) this.#ready = true;
    else {
      this.#current?.answer(told.made);
      this.#current = undefined;
      this.#after(IDLE_MS, () => this.#end());
    }
    this.#next();
  }

  #restart(): void {
    this.#end();
    this.#next();
  }

  #end(): void {
    clearTimeout(this.#timer);
    const thread = this.#thread;
    this.#thread = undefined;
    this.#ready = false;
    this.#current?.answer(undefined);
    this.#current = undefined;
    void thread?.terminate();
  }

  #after(ms: number, act: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(act, ms).unref();
  }
}

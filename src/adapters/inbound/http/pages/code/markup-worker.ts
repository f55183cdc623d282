import { Worker } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';

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
  /** The addresses of what the text names, such as `#12`, as far as its reader may open them. */
  readonly references?: Readonly<Record<string, string>>;
  /** The public address of the service: badges of it are shown, where the text is read on its pages. */
  readonly service?: string;
  /** Beginnings of addresses that the reader may not open: they are no links. */
  readonly closed?: readonly string[];
}

/** The same for what people write about a project. */
export interface ProsePlace extends MarkdownPlace {
  /** What addresses begin with; empty on pages. */
  readonly site: string;
  /** The address of the project behind that: files that are attached to texts lie below it. */
  readonly project: string;
  readonly references: Readonly<Record<string, string>>;
  readonly closed: readonly string[];
  /** The form of the buttons that tick the tasks of the text; without it they are only shown. */
  readonly ticks?: string | undefined;
}

/** A text that was tried; without what was made of it where it can't be made, or not in time. */
export interface Tried {
  readonly made: unknown;
}

interface Waiting {
  readonly task: MarkupTask;
  readonly owner: string;
  readonly since: number;
  readonly answer: (tried: Tried | undefined) => void;
}

/** With the time of the processor that the thread had had when it began, where its Node tells. */
interface Begun {
  readonly begun: NodeJS.CpuUsage | undefined;
}

type Told = { readonly ready: true } | Begun | Tried;

const PROGRAM = new URL('./markup-thread.js', import.meta.url);
const MOST_WAITING = 256;
const BOUNDS = {
  /** Of the processor's time for one text, from when the thread has loaded what it needs for it. */
  deadlineMs: 500,
  /** Nobody waits longer for their turn. */
  waitMs: 5_000,
};
/** By the clock: to load, and of one text where the processor is somebody else's. */
const LONGEST_MS = 3_000;
const LEAST_MS = 20;
const IDLE_MS = 30_000;
const HEAP_MB = 128;
/** Time of the thread is held against those whose texts took it for so long. */
const LATELY_MS = 60_000;
const MOST_OWNERS = 1_000;

const startThread = (): Worker =>
  new Worker(PROGRAM, { resourceLimits: { maxOldGenerationSizeMb: HEAP_MB }, env: {}, execArgv: [] });

/** Milliseconds of the processor's time; no end of them where nobody can tell. */
const usedSince = async (thread: Worker | undefined, begun: NodeJS.CpuUsage | undefined): Promise<number> => {
  // Node tells it from 24.6 on.
  if (thread?.cpuUsage === undefined || begun === undefined) return Infinity;
  const { user, system } = await thread.cpuUsage(begun).catch(() => ({ user: Infinity, system: 0 }));
  return (user + system) / 1_000;
};

/**
 * A thread that makes HTML, one text at a time, and is ended when one takes too long. It starts when it is first needed. Next comes a text
 * of the owner who took the least of its time lately: slow texts hold up those of others by the one that is worked on, however many wait.
 */
export class MarkupWorker {
  readonly #waiting: Waiting[] = [];
  readonly #taken = new LRUCache<string, number>({
    maxSize: MOST_OWNERS,
    sizeCalculation: () => 1,
    ttl: LATELY_MS,
    noUpdateTTL: true,
  });
  #thread: Worker | undefined;
  #ready = false;
  #current: Waiting | undefined;
  #began = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly start = startThread,
    private readonly bounds = BOUNDS,
  ) {}

  /**
   * Undefined where it was not tried, since too much waits: the text is to be shown as it was written, and may be tried again.
   * @param owner whose text it is: a project, or a person.
   */
  make(task: MarkupTask, owner: string): Promise<Tried | undefined> {
    return new Promise((answer) => {
      this.#waiting.push({ task, owner, since: performance.now(), answer });
      if (this.#waiting.length > MOST_WAITING) this.#makeRoom();
      this.#next();
    });
  }

  close(): void {
    this.#end(undefined);
    for (const { answer } of this.#waiting.splice(0)) answer(undefined);
  }

  #next(): void {
    if (this.#current !== undefined || this.#waiting.length === 0) return;
    this.#thread ??= this.#begin();
    if (!this.#ready) return;
    this.#giveUpLate();
    this.#current = this.#lightest();
    if (this.#current === undefined) return;
    this.#began = performance.now();
    this.#after(LONGEST_MS, () => this.#cutOff());
    this.#thread.postMessage(this.#current.task);
  }

  /** The newest text of whoever has the most waiting. */
  #makeRoom(): void {
    const counts = new Map<string, number>();
    for (const { owner } of this.#waiting) counts.set(owner, (counts.get(owner) ?? 0) + 1);
    const [most] = [...counts].reduce((one, other) => (other[1] > one[1] ? other : one));
    const [left] = this.#waiting.splice(
      this.#waiting.findLastIndex(({ owner }) => owner === most),
      1,
    );
    left?.answer(undefined);
  }

  #giveUpLate(): void {
    const late = performance.now() - this.bounds.waitMs;
    while ((this.#waiting[0]?.since ?? Infinity) < late) this.#waiting.shift()?.answer(undefined);
  }

  #lightest(): Waiting | undefined {
    let chosen = 0;
    this.#waiting.forEach(({ owner }, index) => {
      if (this.#takenBy(owner) < this.#takenBy(this.#waiting[chosen]?.owner ?? '')) chosen = index;
    });
    return this.#waiting.splice(chosen, 1)[0];
  }

  #takenBy(owner: string): number {
    return this.#taken.get(owner) ?? 0;
  }

  #begin(): Worker {
    const thread = this.start();
    thread.unref();
    thread.on('message', (told: Told) => {
      if (this.#thread === thread) this.#hear(told);
    });
    // It ran out of memory, or could not begin: `exit` follows.
    thread.on('error', () => undefined);
    thread.on('exit', () => {
      if (this.#thread !== thread) return;
      const began = this.#ready;
      this.#end({ made: undefined });
      // One that can't begin would be started for ever.
      if (began) this.#next();
      else this.close();
    });
    return thread;
  }

  #hear(told: Told): void {
    if ('ready' in told) this.#ready = true;
    else if ('begun' in told) this.#allow(this.bounds.deadlineMs, told);
    else {
      this.#answer(told);
      this.#after(IDLE_MS, () => this.#end(undefined));
    }
    this.#next();
  }

  #allow(ms: number, begun: Begun): void {
    this.#after(ms, () => void this.#judge(begun));
  }

  async #judge({ begun }: Begun): Promise<void> {
    const slow = this.#current;
    // Should the thread not tell.
    this.#after(LONGEST_MS, () => this.#cutOff());
    const left = this.bounds.deadlineMs - (await usedSince(this.#thread, begun));
    if (this.#current !== slow) return;
    if (left > 0 && performance.now() - this.#began < LONGEST_MS) this.#allow(Math.max(left, LEAST_MS), { begun });
    else this.#cutOff();
  }

  #cutOff(): void {
    const slow = this.#current;
    // An answer that came while the service was busy counts.
    setImmediate(() => {
      if (this.#current !== slow) return;
      this.#end({ made: undefined });
      this.#next();
    });
  }

  #end(tried: Tried | undefined): void {
    clearTimeout(this.#timer);
    const thread = this.#thread;
    this.#thread = undefined;
    this.#ready = false;
    this.#answer(tried);
    void thread?.terminate();
  }

  #answer(tried: Tried | undefined): void {
    if (this.#current === undefined) return;
    const { owner, answer } = this.#current;
    this.#current = undefined;
    this.#taken.set(owner, this.#takenBy(owner) + performance.now() - this.#began);
    answer(tried);
  }

  #after(ms: number, act: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(act, ms).unref();
  }
}

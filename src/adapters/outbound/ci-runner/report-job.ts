import { setTimeout as sleep } from 'node:timers/promises';
import type { Job } from './job.js';
import type { JobLog } from './job-log.js';
import type { Answer, JobUpdate, RunnerClient } from './runner-client.js';

/** How often things are done. */
export interface Rhythm {
  /** How often the server is asked for a job. */
  readonly askMs: number;
  /** How often it is told of a job that runs; so long a canceled job goes on at most. */
  readonly tellMs: number;
  /** After how long what failed is tried again; each time twice as long, up to the most. */
  readonly retryMs: number;
  readonly mostRetryMs: number;
  /** How long the end of a job is told to a server that can't be reached. */
  readonly giveUpMs: number;
}

export const USUAL_RHYTHM: Rhythm = {
  askMs: 3_000,
  tellMs: 3_000,
  retryMs: 1_000,
  mostRetryMs: 30_000,
  giveUpMs: 3_600_000,
};

/** How an answer is to be taken. */
type Verdict = 'taken' | 'again' | 'elsewhere' | 'refused' | 'over';

const MOST_BYTES_AT_ONCE = 512 * 1_024;
const WAITS = new Set([408, 429]);

const isOver = ({ status, headers }: Answer): boolean =>
  status === 403 || status === 404 || /^(?:canceled|canceling|failed)$/.test(headers.get('job-status') ?? '');

const verdictOf = (answer: Answer): Verdict => {
  if (isOver(answer)) return 'over';
  if (answer.status === 416) return 'elsewhere';
  if (answer.status >= 500 || WAITS.has(answer.status)) return 'again';
  return answer.status < 300 ? 'taken' : 'refused';
};

/** What the server has: `0-<size>`. */
const sizeIn = ({ headers }: Answer): number | undefined => {
  const [, size] = /^\d+-(\d+)$/.exec(headers.get('range') ?? '') ?? [];
  return size === undefined ? undefined : Number(size);
};

/** Tells the server of a job while it runs: its log, and that it lives; hears when it is canceled. */
export class ReportJob {
  #sent = 0;
  #pauseMs: number;
  #ended = false;
  /** A server may keep less of a log than this runner does. */
  #logIsRefused = false;
  readonly #waking = new AbortController();

  /** @param onOver the server wants no more of the job. */
  constructor(
    private readonly client: RunnerClient,
    private readonly job: Job,
    private readonly log: JobLog,
    private readonly rhythm: Rhythm,
    private readonly onOver: () => void,
  ) {
    this.#pauseMs = rhythm.retryMs;
  }

  /** Until the job has ended. */
  async whileItRuns(): Promise<void> {
    for (;;) {
      await sleep(this.rhythm.tellMs, undefined, { signal: this.#waking.signal }).catch(() => undefined);
      if (this.#ended) return;
      const verdict = this.#hasNews ? await this.#sendLog() : await this.#sayItLives();
      if (verdict === 'over') return this.onOver();
      if (verdict === 'again') await this.#wait();
    }
  }

  get #hasNews(): boolean {
    return !this.#logIsRefused && this.#sent < this.log.length;
  }

  stop(): void {
    this.#ended = true;
    this.#waking.abort();
  }

  /** The rest of the log, and how it ended. False where the server did not take it until it was given up. */
  async end(update: JobUpdate, giveUp: AbortSignal): Promise<boolean> {
    while (!giveUp.aborted) {
      const verdict = this.#hasNews ? await this.#sendLog() : await this.#sayItEnded(update);
      if (verdict === 'over' || verdict === 'refused' || verdict === 'ended') return true;
      if (verdict === 'again') await this.#wait(giveUp);
    }
    return false;
  }

  async #sendLog(): Promise<Verdict> {
    const bytes = this.log.slice(this.#sent, MOST_BYTES_AT_ONCE);
    const answer = await this.#reaching(() => this.client.appendLog(this.job, this.#sent, bytes));
    if (answer === undefined) return 'again';
    const verdict = verdictOf(answer);
    if (verdict === 'taken') this.#advance(this.#sent + bytes.length);
    if (verdict === 'elsewhere') return this.#goOnFrom(sizeIn(answer));
    if (verdict !== 'refused') return verdict;
    // How it ends is told all the same.
    this.#logIsRefused = true;
    return 'taken';
  }

  /** Where the server says that it is; one that says where this runner already is has to be waited for. */
  #goOnFrom(size: number | undefined): Verdict {
    const before = this.#sent;
    this.#sent = Math.min(size ?? 0, this.log.length);
    return this.#sent === before ? 'again' : 'taken';
  }

  async #sayItLives(): Promise<Verdict> {
    const answer = await this.#reaching(() => this.client.updateJob(this.job, { state: 'running' }));
    if (answer === undefined) return 'again';
    const verdict = verdictOf(answer);
    if (verdict === 'taken') this.#pauseMs = this.rhythm.retryMs;
    return verdict;
  }

  async #sayItEnded(update: JobUpdate): Promise<Verdict | 'ended'> {
    const { checksum, length: bytesize } = this.log;
    const answer = await this.#reaching(() =>
      this.client.updateJob(this.job, { ...update, checksum, output: { checksum, bytesize } }),
    );
    if (answer === undefined) return 'again';
    // What it has of the log is not what was sent: all of it once more.
    if (answer.status === 412 && this.#sent > 0) {
      this.#sent = 0;
      return 'again';
    }
    if (answer.status === 202) return 'again';
    return answer.status === 200 ? 'ended' : verdictOf(answer);
  }

  #advance(to: number): void {
    this.#sent = to;
    this.#pauseMs = this.rhythm.retryMs;
  }

  async #reaching(send: () => Promise<Answer>): Promise<Answer | undefined> {
    return send().catch(() => undefined);
  }

  async #wait(signal?: AbortSignal): Promise<void> {
    const pause = this.#pauseMs;
    this.#pauseMs = Math.min(pause * 2, this.rhythm.mostRetryMs);
    await sleep(pause, undefined, { signal: signal ?? this.#waking.signal }).catch(() => undefined);
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import { readJob, readJobKey, type Job } from './job.js';
import { JobLog } from './job-log.js';
import { ReportJob, type Rhythm } from './report-job.js';
import type { CacheStore } from './cache-store.js';
import { JobCaches } from './job-caches.js';
import { JobFiles } from './job-files.js';
import type { FoldersOfJobs } from './job-folders.js';
import { MakeRelease } from './make-release.js';
import { RunJob, secretsOfJob, type JobOutcome, type Machine } from './run-job.js';
import type { Answer, JobUpdate, RunnerClient } from './runner-client.js';

export interface RunnerParts {
  readonly client: RunnerClient;
  readonly concurrent: number;
  readonly machine: Machine;
  readonly folders: FoldersOfJobs;
  readonly caches: CacheStore;
  readonly rhythm: Rhythm;
  readonly now: () => Date;
  /** What it does, a line each: never a secret. */
  readonly say: (line: string) => void;
}

/** As short as what is masked may be. */
const SHORTEST_SECRET = 8;

/** How long the end of jobs is told that were ended with the runner. */
const LAST_WORDS_MS = 10_000;
const counted = (jobs: number): string => (jobs === 1 ? 'One running job was' : `${jobs} running jobs were`);
const CONTROL = /[^\x20-\x7e\u00a0-\u{10ffff}]/gu;

/** What a server says, on one line of a terminal. */
const plain = (text: string): string => text.replaceAll(CONTROL, '?').slice(0, 200);

/** What is said of an answer that trying again would not change. */
const refusalOf = ({ status }: Answer): string | undefined => {
  if (status === 404) return 'No server answers runners at this address.';
  return [401, 403, 410].includes(status) ? 'The server does not take the token of this runner.' : undefined;
};

/** @throws Error. */
const requireTaken = (answer: Answer): void => {
  const refusal = refusalOf(answer);
  if (refusal !== undefined) throw new Error(refusal);
};

/** Takes jobs of a server and runs them, until it is stopped. */
export class Runner {
  readonly #running = new Map<RunJob, Promise<void>>();
  readonly #stopping = new AbortController();
  readonly #ending = new AbortController();
  #pauseMs: number;
  #away = false;
  #ended = 0;

  constructor(private readonly parts: RunnerParts) {
    this.#pauseMs = parts.rhythm.retryMs;
  }

  /** Takes no more jobs, and waits for those that run; asked a second time, ends them. */
  stop(): void {
    const { say } = this.parts;
    if (!this.#stopping.signal.aborted) {
      this.#stopping.abort();
      if (this.#running.size > 0) say(`Waits for what runs: ${this.#running.size}. Asked once more, it ends that.`);
      return;
    }
    if (this.#ending.signal.aborted) return;
    this.#ending.abort();
    this.#ended = this.#running.size;
    for (const job of this.#running.keys()) job.interrupt('stopped');
  }

  /** Resolves once it is stopped. @throws Error where the server doesn't take its token, or where jobs were ended. */
  async execute(): Promise<void> {
    try {
      await this.parts.caches.makeRoom();
      await this.#introduce();
      while (!this.#isStopping) await this.#ask();
    } finally {
      await Promise.all(this.#running.values());
      await this.parts.folders.close();
    }
    if (this.#ended > 0) throw new Error(`${counted(this.#ended)} ended, and counted as failed.`);
  }

  get #isStopping(): boolean {
    return this.#stopping.signal.aborted;
  }

  async #introduce(): Promise<void> {
    while (!this.#isStopping) {
      const answer = await this.#reach(() => this.parts.client.verify());
      if (answer !== undefined) requireTaken(answer);
      if (answer === undefined) await this.#wait();
      else if (answer.status < 300) return this.parts.say('Waiting for jobs.');
      else await this.#wait();
    }
  }

  async #ask(): Promise<void> {
    const { client, concurrent, rhythm } = this.parts;
    if (this.#running.size >= concurrent) return this.#pause(rhythm.askMs);
    const answer = await this.#reach(() => client.requestJob());
    if (answer === undefined) return this.#wait();
    requireTaken(answer);
    if (answer.status === 201) return this.#take(answer.body);
    if (answer.status >= 500 || answer.status === 429) return this.#wait();
    // Another runner was first: there may be more.
    return this.#pause(answer.status === 409 ? rhythm.retryMs : rhythm.askMs);
  }

  async #take(body: unknown): Promise<void> {
    try {
      this.#begin(readJob(body));
    } catch (error) {
      const key = readJobKey(body);
      this.parts.say(`A job cannot be run: ${error instanceof Error ? error.message : ''}`);
      const failed: JobUpdate = { state: 'failed', failure_reason: 'runner_system_failure' };
      if (key !== undefined) await this.#reach(() => this.parts.client.updateJob(key, failed));
      await this.#pause(this.parts.rhythm.askMs);
    }
  }

  #begin(job: Job): void {
    const { client, machine, folders, caches: store, now, rhythm } = this.parts;
    const secrets = secretsOfJob(job);
    const log = new JobLog(secrets, now);
    const files = new JobFiles(client, job, log, rhythm.retryMs);
    const caches = new JobCaches(store, `${client.server} ${job.projectId}`, job, log);
    const releases = new MakeRelease(
      client,
      job,
      secrets.filter(({ length }) => length >= SHORTEST_SECRET),
      rhythm.retryMs,
    );
    const running = new RunJob(job, log, machine, { folders, files, caches, releases });
    const done = this.#see(job, log, running).finally(() => this.#running.delete(running));
    this.#running.set(running, done);
    // Whoever ended all jobs while this one was on its way means it, too.
    if (this.#ending.signal.aborted) running.interrupt('stopped');
  }

  async #see(job: Job, log: JobLog, running: RunJob): Promise<void> {
    const { client, rhythm, say } = this.parts;
    const called = `Job ${job.id} (${plain(job.name)}) of ${plain(job.project)}`;
    say(`${called}: begins.`);
    const report = new ReportJob(client, job, log, rhythm, () => running.interrupt('canceled'));
    const telling = report.whileItRuns();
    const outcome = await running.execute();
    report.stop();
    await telling;
    log.end(outcome.verdict, outcome.state === 'success');
    const taken = await report.end(updateOf(job, outcome), this.#givingUp());
    if (running.interruption === 'canceled') return say(`${called}: ended, as the server wanted.`);
    say(`${called}: ${taken ? outcome.state : `${outcome.state}, and the server was not reached to be told`}.`);
  }

  /** When nobody tries any more to tell how a job ended. */
  #givingUp(): AbortSignal {
    const giveUp = new AbortController();
    const after = (milliseconds: number): void => void setTimeout(() => giveUp.abort(), milliseconds).unref();
    after(this.parts.rhythm.giveUpMs);
    if (this.#ending.signal.aborted) after(LAST_WORDS_MS);
    else this.#ending.signal.addEventListener('abort', () => after(LAST_WORDS_MS), { once: true });
    return giveUp.signal;
  }

  async #reach(send: () => Promise<Answer>): Promise<Answer | undefined> {
    try {
      const answer = await send();
      if (this.#away) this.parts.say('The server is there again.');
      this.#away = false;
      if (answer.status < 500) this.#pauseMs = this.parts.rhythm.retryMs;
      return answer;
    } catch {
      if (!this.#away) this.parts.say('The server cannot be reached. Trying again.');
      this.#away = true;
      return undefined;
    }
  }

  async #wait(): Promise<void> {
    const pause = this.#pauseMs;
    this.#pauseMs = Math.min(pause * 2, this.parts.rhythm.mostRetryMs);
    await this.#pause(pause);
  }

  async #pause(milliseconds: number): Promise<void> {
    await sleep(milliseconds, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
  }
}

const updateOf = ({ failureReasons }: Job, { state, reason, exitCode }: JobOutcome): JobUpdate => {
  if (reason === undefined) return { state };
  const known = failureReasons === undefined || failureReasons.includes(reason);
  return {
    state,
    failure_reason: known ? reason : 'unknown_failure',
    ...(exitCode === undefined ? {} : { exit_code: exitCode }),
  };
};

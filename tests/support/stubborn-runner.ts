import { setTimeout as sleep } from 'node:timers/promises';

/** What a runner was told is done, and what it was told was kept. */
export interface Acknowledged {
  /** Jobs that it was given, each time. */
  readonly given: number[];
  /** Of each job, how much of its log was taken. */
  readonly logs: Map<number, string>;
  /** What of files was taken, by their jobs. */
  readonly files: Map<number, string>;
  /** Jobs that were taken for done. */
  readonly done: Set<number>;
}

interface Job {
  readonly id: number;
  readonly token: string;
}

interface Parts {
  /** A node that is there at the moment, or was a moment ago. */
  readonly url: () => string;
  readonly token: string;
  readonly acknowledged: Acknowledged;
  /** Whether to begin no more. */
  readonly ends: () => boolean;
  /** A file of the job, packed. */
  readonly pack: (id: number) => Promise<Buffer>;
}

const LINES = 4;
const PAUSE_MS = 20;

/**
 * Does jobs as runners do, and lives on while services are killed: what nobody answered is asked again, and what was done already is taken
 * for an answer.
 */
export class StubbornRunner {
  constructor(private readonly parts: Parts) {}

  async execute(): Promise<void> {
    while (!this.parts.ends()) {
      const job = await this.#ask();
      if (job === undefined) await sleep(PAUSE_MS);
      else await this.#do(job);
    }
  }

  /** Undefined where no job waits, or nobody answered: one that was given all the same is nobody's. */
  async #ask(): Promise<Job | undefined> {
    const { token, acknowledged } = this.parts;
    const body = JSON.stringify({ token, info: { name: 'stubborn' }, system_id: 's_1' });
    const answer = await this.#once('/jobs/request', { method: 'POST', body, headers: JSON_TYPE });
    if (answer?.status !== 201) return undefined;
    const job = JSON.parse(answer.text) as Job;
    acknowledged.given.push(job.id);
    return job;
  }

  async #do(job: Job): Promise<void> {
    for (let line = 1; line <= LINES; line += 1) await this.#write(job, `line ${line} of job ${job.id}\n`);
    await this.#leave(job);
    const body = JSON.stringify({ token: job.token, state: 'success' });
    const answer = await this.#stubbornly(`/jobs/${job.id}`, { method: 'PUT', body, headers: JSON_TYPE });
    // It was done when nobody answered.
    if (answer === 200 || answer === 403) this.parts.acknowledged.done.add(job.id);
    else throw new Error(`job ${job.id} could not be ended: ${answer}`);
  }

  async #write({ id, token }: Job, line: string): Promise<void> {
    const { logs } = this.parts.acknowledged;
    const before = logs.get(id) ?? '';
    const range = `${before.length}-${before.length + line.length - 1}`;
    const headers = { 'JOB-TOKEN': token, 'Content-Type': 'text/plain', 'Content-Range': range };
    const status = await this.#stubbornly(`/jobs/${id}/trace`, { method: 'PATCH', headers, body: line });
    // 416: it was taken when nobody answered.
    if (status !== 202 && status !== 416) throw new Error(`the log of job ${id} was refused: ${status}`);
    logs.set(id, before + line);
  }

  async #leave({ id, token }: Job): Promise<void> {
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(await this.parts.pack(id))]), 'artifacts.zip');
    const sent = { method: 'POST', headers: { 'JOB-TOKEN': token }, body: form };
    const status = await this.#stubbornly(`/jobs/${id}/artifacts?artifact_type=archive&artifact_format=zip`, sent);
    if (status !== 201 && status !== 400) throw new Error(`the files of job ${id} were refused: ${status}`);
    this.parts.acknowledged.files.set(id, String(id));
  }

  /** Answers the status of the first answer that isn't about a service which can't. */
  async #stubbornly(path: string, request: RequestInit): Promise<number> {
    for (;;) {
      const answer = await this.#once(path, request);
      if (answer !== undefined && answer.status < 500) return answer.status;
      await sleep(PAUSE_MS);
    }
  }

  /** Undefined where nobody answered. */
  async #once(path: string, request: RequestInit) {
    try {
      const response = await fetch(`${this.parts.url()}/api/v4${path}`, request);
      return { status: response.status, text: await response.text() };
    } catch {
      return undefined;
    }
  }
}

const JSON_TYPE = { 'Content-Type': 'application/json' };

import { expect } from '@jest/globals';
import { REPOSITORY_TOKENS } from '../../src/infrastructure/composition/repositories.tokens.js';
import type { TestService, TestUser } from './test-service.js';
import { until } from './until.js';

/** Resolves when what follows pushes is done, by whoever. */
export const pushesFollowed = ({ service: { container, database } }: TestService): Promise<unknown> =>
  until(async () => {
    await container.get(REPOSITORY_TOKENS.codeWorks).runDue();
    return (await database.reader.query('code_works').first('id')) === undefined;
  });

/** A job as runners take it: as much of it as tests look at. */
export interface TakenJob {
  readonly id: number;
  readonly token: string;
  readonly job_info: { readonly name: string; readonly stage: string };
  readonly git_info: { readonly repo_url: string; readonly sha: string; readonly refspecs: readonly string[] };
  readonly variables: readonly { readonly key: string; readonly value: string; readonly masked: boolean }[];
  readonly steps: readonly { readonly name: string; readonly when: string; readonly script: readonly string[] }[];
  readonly [field: string]: unknown;
}

interface LeftFile {
  readonly name?: string;
  readonly token?: string;
  readonly query?: string;
  readonly fields?: Readonly<Record<string, string>>;
}

/** A runner as a program: what it sends is sent as runners send it. */
export class TestRunner {
  private constructor(
    readonly service: TestService,
    readonly id: number,
    readonly token: string,
  ) {}

  static async make(service: TestService, maker: TestUser, fields: object): Promise<TestRunner> {
    const made = await service.call<{ id: number; token: string }>('POST', '/user/runners', {
      token: maker.token,
      json: fields,
    });
    expect(made).toMatchObject({ status: 201, body: { token: expect.stringMatching(/^glrt-/) } });
    return new TestRunner(service, made.body.id, made.body.token);
  }

  /** Undefined where none waits. */
  async take(): Promise<TakenJob | undefined> {
    const { status, body } = await this.ask();
    expect([201, 204]).toContain(status);
    return status === 204 ? undefined : body;
  }

  ask(token = this.token) {
    const info = { name: 'test-runner', version: '17.0.0', platform: 'linux', architecture: 'amd64', features: {} };
    return this.service.call<TakenJob>('POST', '/jobs/request', { json: { token, info, system_id: 's_1' } });
  }

  /** The one that must wait, by its name. */
  async takeNamed(name: string): Promise<TakenJob> {
    const job = await this.take();
    expect(job?.job_info.name).toBe(name);
    return job!;
  }

  say(job: TakenJob, said: object) {
    return this.service.call('PUT', `/jobs/${job.id}`, { json: { token: job.token, ...said } });
  }

  async end(job: TakenJob, said: object): Promise<void> {
    const { status, body } = await this.say(job, said);
    expect([status, body]).toEqual([200, 200]);
  }

  /** Sends a part of the log; answers the status and where the log ends then. */
  async write(job: TakenJob, start: number, text: string, token = job.token, query = '') {
    const answer = await fetch(`${this.service.url}/api/v4/jobs/${job.id}/trace?${query}`, {
      method: 'PATCH',
      headers: {
        ...{ 'JOB-TOKEN': token, 'Content-Type': 'text/plain' },
        'Content-Range': `${start}-${start + Buffer.byteLength(text) - 1}`,
      },
      body: text,
    });
    await answer.arrayBuffer();
    return { status: answer.status, range: answer.headers.get('range'), job: answer.headers.get('job-status') };
  }

  /** Sends a file that a job leaves. */
  async leave(
    job: Pick<TakenJob, 'id' | 'token'>,
    content: Buffer,
    { name = 'artifacts.zip', token = job.token, query = '', fields = {} }: LeftFile = {},
  ) {
    const form = new FormData();
    for (const [field, value] of Object.entries(fields)) form.append(field, value);
    form.append('file', new Blob([new Uint8Array(content)]), name);
    const address = `${this.service.url}/api/v4/jobs/${job.id}/artifacts?${query}`;
    const answer = await fetch(address, { method: 'POST', headers: { 'JOB-TOKEN': token }, body: form });
    return { status: answer.status, text: await answer.text(), job: answer.headers.get('job-status') };
  }

  /** Takes jobs until none waits; answers their names in that order. Those that are named fail. */
  async runAll(failing: readonly string[] = []): Promise<readonly string[]> {
    const names: string[] = [];
    for (let job = await this.take(); job !== undefined; job = await this.take()) {
      const { name } = job.job_info;
      names.push(name);
      const failed = { state: 'failed', failure_reason: 'script_failure', exit_code: 1 };
      await this.end(job, failing.includes(name) ? failed : { state: 'success' });
    }
    return names;
  }
}

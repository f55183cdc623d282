import { createWriteStream, openAsBlob } from 'node:fs';
import { arch, platform } from 'node:os';
import { pipeline } from 'node:stream/promises';
import { refusalIn } from './refusal.js';

/** Requests that take longer are given up and made again. */
const PATIENCE_MS = 30_000;
/** For a file. */
const PATIENCE_WITH_FILES_MS = 3_600_000;
/** More than any job is described by. */
const MOST_BYTES_OF_AN_ANSWER = 16 * 1_048_576;

/** What this runner can do, in the words of the protocol. */
const FEATURES = {
  variables: true,
  raw_variables: true,
  refspecs: true,
  masking: true,
  artifacts: true,
  artifacts_exclude: true,
  upload_multiple_artifacts: true,
  upload_raw_artifacts: true,
  multi_build_steps: true,
  return_exit_code: true,
  cancelable: true,
  trace_reset: true,
  trace_checksum: true,
  trace_size: true,
  image: false,
  services: false,
  cache: true,
  shared: false,
  session: false,
  terminal: false,
};

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** What became of something that was sent or asked for. */
export interface Outcome {
  readonly status: number;
  /** Why it was refused, in the words of the server; undefined where it says nothing. */
  readonly reason?: string | undefined;
}

export interface RunnerIdentity {
  readonly url: string;
  readonly token: string;
  readonly systemId: string;
  readonly version: string;
}

type Request = Omit<RequestInit, 'headers'> & { readonly headers: Readonly<Record<string, string>> };
type JobKey = Readonly<{ id: number; token: string }>;

/** What is said of a file that a job leaves. */
export interface SentArtifact {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly expireIn: string | null;
}

export interface JobUpdate {
  readonly state: 'running' | 'success' | 'failed';
  readonly failure_reason?: string;
  readonly exit_code?: number;
  readonly checksum?: string;
  readonly output?: { readonly checksum: string; readonly bytesize: number };
}

const readAnswer = async (response: Response): Promise<unknown> => {
  const length = Number(response.headers.get('content-length') ?? 0);
  if (length > MOST_BYTES_OF_AN_ANSWER) throw new Error('The server answered with more than a job.');
  const text = await response.text();
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

/** The runner protocol. What can't be reached is an error; what is refused is an answer. */
export class RunnerClient {
  readonly #base: string;
  #lastUpdate = '';

  constructor(private readonly identity: RunnerIdentity) {
    this.#base = `${identity.url.replace(/\/+$/, '')}/api/v4`;
  }

  /** Where its requests go. */
  get server(): string {
    return this.#base;
  }

  verify(): Promise<Answer> {
    const { token, systemId } = this.identity;
    return this.#sendAsRunner('/runners/verify', { token, system_id: systemId, info: this.#info });
  }

  async requestJob(): Promise<Answer> {
    const { token, systemId } = this.identity;
    const answer = await this.#sendAsRunner('/jobs/request', {
      token,
      system_id: systemId,
      last_update: this.#lastUpdate,
      info: this.#info,
    });
    this.#lastUpdate = answer.headers.get('x-gitlab-last-update') ?? this.#lastUpdate;
    return answer;
  }

  updateJob({ id, token }: JobKey, update: JobUpdate): Promise<Answer> {
    const body = JSON.stringify({ token, system_id: this.identity.systemId, info: this.#info, ...update });
    const headers = { 'Content-Type': 'application/json', 'Job-Token': token };
    return this.#send(`/jobs/${id}`, { method: 'PUT', headers, body });
  }

  appendLog({ id, token }: JobKey, from: number, bytes: Buffer): Promise<Answer> {
    const headers = {
      'Content-Type': 'text/plain',
      'Content-Range': `${from}-${from + bytes.length - 1}`,
      'Job-Token': token,
    };
    return this.#send(`/jobs/${id}/trace`, { method: 'PATCH', headers, body: new Uint8Array(bytes) });
  }

  /** Sends a file that a job leaves. */
  async sendArtifact({ id, token }: JobKey, path: string, about: SentArtifact, signal: AbortSignal): Promise<Outcome> {
    const query = new URLSearchParams({
      artifact_type: about.type,
      artifact_format: about.format,
      ...(about.expireIn === null ? {} : { expire_in: about.expireIn }),
    });
    const body = new FormData();
    body.append('file', await openAsBlob(path), about.name);
    const response = await this.#sendFile(
      `/jobs/${id}/artifacts?${query.toString()}`,
      token,
      { method: 'POST', body },
      signal,
    );
    return { status: response.status, reason: await refusalIn(response) };
  }

  /** Fetches the archive that a job left, to a file. */
  async fetchArchive({ id, token }: JobKey, path: string, signal: AbortSignal): Promise<Outcome> {
    const response = await this.#sendFile(`/jobs/${id}/artifacts`, token, { method: 'GET' }, signal);
    const { status, body } = response;
    if (status !== 200 || body === null) return { status, reason: await refusalIn(response) };
    await pipeline(body, createWriteStream(path, { mode: 0o600 }), { signal });
    return { status };
  }

  /** Makes a release of the project of a job. */
  async makeRelease(
    { projectId, token }: JobKey & { readonly projectId: number },
    release: object,
    signal: AbortSignal,
  ): Promise<Outcome> {
    const response = await fetch(`${this.#base}/projects/${projectId}/releases`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Job-Token': token, 'User-Agent': this.#agent },
      body: JSON.stringify(release),
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]),
    });
    return { status: response.status, reason: response.status < 300 ? undefined : await refusalIn(response) };
  }

  #sendFile(path: string, token: string, request: RequestInit, signal: AbortSignal): Promise<Response> {
    return fetch(`${this.#base}${path}`, {
      ...request,
      headers: { 'Job-Token': token, 'User-Agent': this.#agent },
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_WITH_FILES_MS)]),
    });
  }

  get #agent(): string {
    return `gatehouse-runner ${this.identity.version}`;
  }

  get #info() {
    const { version } = this.identity;
    return {
      ...{ name: 'gatehouse-runner', version, platform: platform(), architecture: arch() },
      ...{ executor: 'shell', shell: 'bash', features: FEATURES },
    };
  }

  #sendAsRunner(path: string, body: object): Promise<Answer> {
    const headers = { 'Content-Type': 'application/json', 'Runner-Token': this.identity.token };
    return this.#send(path, { method: 'POST', headers, body: JSON.stringify(body) });
  }

  async #send(path: string, { headers, ...request }: Request): Promise<Answer> {
    const response = await fetch(`${this.#base}${path}`, {
      ...request,
      headers: { ...headers, 'User-Agent': this.#agent },
      // A token is for the server that was named, and for no other.
      redirect: 'error',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    return { status: response.status, headers: response.headers, body: await readAnswer(response) };
  }
}

import { spawn } from 'node:child_process';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseFiles } from '../../src/adapters/inbound/http/body/parse-multipart.js';
import { until } from './until.js';

export const RUNNER_TOKEN = 'glrt-runner-token-5f1d1c0e';

/** What the server knows of a job that it gave away. */
interface Given {
  readonly token: string;
  log: Buffer;
  status: 'running' | 'canceled' | 'success' | 'failed';
  update?: Readonly<Record<string, unknown>>;
  /** How often the runner said that it lives. */
  heard: number;
}

export interface Request {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

export interface LeftFile {
  readonly jobId: number;
  /** What is said of it, in the address. */
  readonly said: Readonly<Record<string, string>>;
  readonly name: string;
  readonly content: Buffer;
}

/**
 * What happens to a request before it is looked at: a status is answered at once, `cut` cuts the connection. With `unanswered` it is
 * done, and nobody hears of it.
 */
type Trouble = (request: Request) => number | Refusal | 'cut' | 'unanswered' | undefined;

interface Refusal {
  readonly status: number;
  readonly body: string;
}

/** A server that gives jobs away by the runner protocol, and nothing else: what it knows is what a test asks. */
export class RunnerServer {
  readonly requests: Request[] = [];
  readonly statuses: number[] = [];
  readonly #waiting: Readonly<Record<string, unknown>>[] = [];
  readonly #given = new Map<number, Given>();
  readonly #server: Server;
  trouble: Trouble = () => undefined;
  /** What jobs left before, by their ids. */
  readonly archives = new Map<number, Buffer>();
  /** What runners sent of their jobs. */
  readonly left: LeftFile[] = [];
  /** Where repositories lie that it serves under `/git/`, and the password that opens them. */
  repositories: { readonly folder: string; readonly password: string } | undefined;

  private constructor() {
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  static async start(): Promise<RunnerServer> {
    const server = new RunnerServer();
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  give(job: Readonly<Record<string, unknown>>): void {
    this.#waiting.push(job);
  }

  cancel(id: number): void {
    this.#jobOf(id).status = 'canceled';
  }

  log(id: number): string {
    return this.#given.get(id)?.log.toString() ?? '';
  }

  heard(id: number): number {
    return this.#given.get(id)?.heard ?? 0;
  }

  /** Waits until a job says something. */
  async says(id: number, text: string): Promise<void> {
    await until(async () => this.log(id).includes(text));
  }

  /** Waits for how a job ended, as the runner told. */
  async ends(id: number): Promise<Readonly<Record<string, unknown>>> {
    await until(async () => this.#given.get(id)?.update !== undefined);
    return this.#jobOf(id).update!;
  }

  #jobOf(id: number): Given {
    const job = this.#given.get(id);
    if (job === undefined) throw new Error(`Job ${id} was not given away.`);
    return job;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: path = '', headers } = request;
    if (path.startsWith('/git/')) return this.#serveGit(request, response);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const asked = { method, path, headers, body: Buffer.concat(chunks) };
    this.requests.push(asked);
    const trouble = this.trouble(asked);
    if (trouble === 'cut') return void request.socket.destroy();
    if (typeof trouble === 'number') return void response.writeHead(trouble).end();
    if (typeof trouble === 'object') return void response.writeHead(trouble.status).end(trouble.body);
    const ofFiles = /^\/api\/v4\/jobs\/(\d+)\/artifacts/.exec(path)?.[1];
    if (ofFiles !== undefined) return this.#answerFiles(asked, Number(ofFiles), response);
    const [status, said, body] = this.#decide(asked);
    this.statuses.push(status);
    if (trouble === 'unanswered') return void request.socket.destroy();
    response.writeHead(status, { 'Content-Type': 'application/json', ...said });
    response.end(body === undefined ? undefined : JSON.stringify(body));
  }

  async #answerFiles({ method, path, headers, body }: Request, jobId: number, response: ServerResponse): Promise<void> {
    if (![...this.#given.values()].some(({ token }) => token === headers['job-token']))
      return void response.writeHead(403).end();
    if (method === 'GET') {
      const archive = this.archives.get(jobId);
      return void response.writeHead(archive === undefined ? 404 : 200).end(archive);
    }
    const { files } = await parseFiles(body, headers['content-type']!, { parts: 10 });
    const said = Object.fromEntries(new URL(path, this.url).searchParams);
    this.left.push(...files.map(({ name, content }) => ({ jobId, said, name, content })));
    response.writeHead(201).end();
  }

  #decide({ method, path, headers, body }: Request): [number, Record<string, string>, unknown?] {
    const [, id, part] = /^\/api\/v4\/jobs\/(\d+)(\/trace)?$/.exec(path) ?? [];
    if (id === undefined) return this.#decideForRunner(path, JSON.parse(body.toString()) as { token: string });
    const job = this.#given.get(Number(id));
    if (job === undefined || job.token !== headers['job-token']) return [403, {}, { message: '403 Forbidden' }];
    const state = { 'Job-Status': job.status, 'X-GitLab-Trace-Update-Interval': '60' };
    if (job.status !== 'running') return [403, state];
    if (method === 'PATCH' && part !== undefined) return this.#append(job, String(headers['content-range']), body);
    const update = JSON.parse(body.toString()) as { state: 'running' | 'success' | 'failed' };
    job.heard += 1;
    if (update.state !== 'running') Object.assign(job, { update, status: update.state });
    return [200, state, 200];
  }

  #decideForRunner(path: string, { token }: { token: string }): [number, Record<string, string>, unknown?] {
    if (token !== RUNNER_TOKEN) return [403, {}, { message: '403 Forbidden' }];
    if (path === '/api/v4/runners/verify') return [200, {}, { id: 1, token, token_expires_at: null }];
    const job = this.#waiting.shift();
    if (job === undefined) return [204, { 'X-GitLab-Last-Update': 'seen' }];
    this.#given.set(job['id'] as number, {
      token: job['token'] as string,
      log: Buffer.alloc(0),
      status: 'running',
      heard: 0,
    });
    return [201, {}, job];
  }

  #append(job: Given, range: string, body: Buffer): [number, Record<string, string>] {
    const [from, to] = range.split('-').map(Number);
    const fits = from === job.log.length && to === from + body.length - 1;
    if (fits) job.log = Buffer.concat([job.log, body]);
    return [fits ? 202 : 416, { Range: `0-${job.log.length}`, 'Job-Status': job.status }];
  }

  /** By the program that git brings for it, to whoever knows the password. */
  #serveGit(request: IncomingMessage, response: ServerResponse): void {
    const { folder, password } = this.repositories!;
    const basic = `Basic ${Buffer.from(`gitlab-ci-token:${password}`).toString('base64')}`;
    if (request.headers.authorization !== basic) {
      response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="git"' }).end();
      return;
    }
    const { pathname, searchParams } = new URL(request.url ?? '', this.url);
    const child = spawn('git', ['http-backend'], {
      env: {
        PATH: process.env['PATH'],
        GIT_PROJECT_ROOT: folder,
        GIT_HTTP_EXPORT_ALL: '1',
        PATH_INFO: pathname.slice('/git'.length),
        QUERY_STRING: searchParams.toString(),
        REQUEST_METHOD: request.method,
        CONTENT_TYPE: request.headers['content-type'] ?? '',
        HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
        HTTP_GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      },
    });
    request.pipe(child.stdin);
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.on('close', () => {
      const output = Buffer.concat(chunks);
      const end = output.indexOf('\r\n\r\n');
      for (const line of output.subarray(0, end).toString().split('\r\n')) {
        const [, name, value] = /^([^:]+): (.*)$/.exec(line) ?? [];
        if (name === 'Status') response.statusCode = Number.parseInt(value!, 10);
        else if (name !== undefined) response.setHeader(name, value!);
      }
      response.end(output.subarray(end + 4));
    });
  }
}

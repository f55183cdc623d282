import { execFile, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import autocannon from 'autocannon';

export interface Load {
  readonly url: string;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Throughput {
  /** Answers of 2xx a second. */
  readonly perSecond: number;
  /** Anything else, and connections that broke. */
  readonly failures: number;
}

const CONNECTIONS = 16;

const hasWrk = spawnSync('wrk', ['--version']).error === undefined;

/** `wrk` where this machine has it: it is native, so that it takes little from what it measures. Else `autocannon`. */
export const LOAD_GENERATOR = hasWrk ? 'wrk' : 'autocannon';

const wrkScript = ({ method = 'GET', headers = {}, body }: Load): string => {
  const lines = [`wrk.method = ${JSON.stringify(method)}`];
  for (const [name, value] of Object.entries(headers))
    lines.push(`wrk.headers[${JSON.stringify(name)}] = ${JSON.stringify(value)}`);
  if (body !== undefined) lines.push(`wrk.body = ${JSON.stringify(body)}`);
  return lines.join('\n');
};

const byWrk = async (load: Load, seconds: number): Promise<Throughput> => {
  const script = join(process.env['GATEHOUSE_TEST_DIRECTORY'] ?? '', 'load.lua');
  writeFileSync(script, wrkScript(load));
  const { stdout } = await promisify(execFile)('wrk', [
    '-t1',
    `-c${CONNECTIONS}`,
    `-d${seconds}s`,
    '-s',
    script,
    load.url,
  ]);
  const failed = Number(/Non-2xx or 3xx responses: (\d+)/.exec(stdout)?.[1] ?? 0);
  const broken = [...(/Socket errors: (.*)/.exec(stdout)?.[1] ?? '').matchAll(/\d+/g)].map(Number);
  const perSecond = Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]);
  return { perSecond, failures: failed + broken.reduce((sum, count) => sum + count, 0) };
};

const byAutocannon = async (load: Load, seconds: number): Promise<Throughput> => {
  const { url, method = 'GET', headers = {}, body } = load;
  const result = await autocannon({
    url,
    method,
    headers: { ...headers },
    connections: CONNECTIONS,
    duration: seconds,
    ...(body === undefined ? {} : { body }),
  });
  return { perSecond: result['2xx'] / result.duration, failures: result.non2xx + result.errors };
};

/** Repeats one request for a while, over 16 connections. */
export const underLoad: (load: Load, seconds: number) => Promise<Throughput> = hasWrk ? byWrk : byAutocannon;

/** Sends each body once, over 16 connections. */
export const sendOnce = async (load: Omit<Load, 'body'>, bodies: readonly string[]): Promise<Throughput> => {
  const left = [...bodies];
  const startedAt = performance.now();
  let lastAnswerAt = startedAt;
  const running = autocannon({
    url: load.url,
    connections: CONNECTIONS,
    amount: bodies.length,
    requests: [
      {
        method: 'POST',
        headers: { ...load.headers },
        setupRequest: (request) => ({ ...request, body: left.pop() ?? '' }),
      },
    ],
  });
  // It looks for its end once a second only.
  running.on('response', () => {
    lastAnswerAt = performance.now();
  });
  const result = await running;
  return { perSecond: result['2xx'] / ((lastAnswerAt - startedAt) / 1_000), failures: result.non2xx + result.errors };
};

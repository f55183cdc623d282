import { execFile, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import autocannon from 'autocannon';
import { nextNumbers, numberedBodies } from './numbered-bodies.js';
import { p99Of, SteadyLoad } from './steady-load.js';

export interface Load {
  readonly url: string;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  /** Each `{n}` in it becomes another number with every request. */
  readonly body?: string;
  /** In place of `body`, for `latencyAt`: each is sent once, and then no more. */
  readonly bodies?: readonly string[];
  /** 16 unless given. */
  readonly connections?: number;
}

const CONNECTIONS = 16;

const hasWrk = spawnSync('wrk', ['--version']).error === undefined;

/** `wrk` where this machine has it: it is native, so that it takes little from what it measures. Else `autocannon`. */
export const LOAD_GENERATOR = hasWrk ? 'wrk' : 'autocannon';

const refuseFailures = (failures: number): void => {
  // Anything but 2xx, and connections that broke.
  if (failures > 0) throw new Error(`${failures} requests failed.`);
};

const wrkScript = ({ method = 'GET', headers = {}, body }: Load): string => {
  const lines = [`wrk.method = ${JSON.stringify(method)}`];
  for (const [name, value] of Object.entries(headers))
    lines.push(`wrk.headers[${JSON.stringify(name)}] = ${JSON.stringify(value)}`);
  if (body === undefined) return lines.join('\n');
  const [start = '', ...rest] = body.split('{n}').map((part) => JSON.stringify(part));
  if (rest.length === 0) return [...lines, `wrk.body = ${start}`].join('\n');
  const numbered = [start, ...rest].join(' .. n .. ');
  // Drawn anew in each run.
  return [
    ...lines,
    `local n = ${nextNumbers()}`,
    `request = function() n = n + 1; return wrk.format(nil, nil, nil, ${numbered}) end`,
  ].join('\n');
};

const byWrk = async (load: Load, seconds: number): Promise<number> => {
  const script = join(process.env['GATEHOUSE_TEST_DIRECTORY'] ?? '', `${randomUUID()}.lua`);
  writeFileSync(script, wrkScript(load));
  const { stdout } = await promisify(execFile)('wrk', [
    '-t1',
    `-c${load.connections ?? CONNECTIONS}`,
    `-d${seconds}s`,
    '-s',
    script,
    load.url,
  ]);
  const failed = Number(/Non-2xx or 3xx responses: (\d+)/.exec(stdout)?.[1] ?? 0);
  const broken = [...(/Socket errors: (.*)/.exec(stdout)?.[1] ?? '').matchAll(/\d+/g)].map(Number);
  const perSecond = Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]);
  refuseFailures(failed + broken.reduce((sum, count) => sum + count, 0));
  return perSecond;
};

const cannon = (load: Load, seconds: number) => {
  const { url, method = 'GET', headers = {}, body, connections = CONNECTIONS } = load;
  const next = numberedBodies(body);
  return autocannon({
    url,
    connections,
    duration: seconds,
    requests: [
      {
        method,
        headers: { ...headers },
        ...(body === undefined ? {} : { setupRequest: (request) => ({ ...request, body: next() }) }),
      },
    ],
  });
};

const byAutocannon = async (load: Load, seconds: number): Promise<number> => {
  const result = await cannon(load, seconds);
  refuseFailures(result.non2xx + result.errors);
  return result['2xx'] / result.duration;
};

/** Repeats one request at a steady rate, for so long, or sends each of many bodies once. @returns how long 99 of 100 took at most, in milliseconds. */
export const latencyAt = async (load: Load, perSecond: number, seconds: number): Promise<number> => {
  const from = performance.now();
  const running = new SteadyLoad(load, perSecond);
  if (load.bodies === undefined) await sleep(seconds * 1_000);
  else await running.allSent();
  await running.stop();
  return p99Of(running.between(from, performance.now()));
};

/** Repeats one request for a while, and answers how often it was answered a second. @throws Error when any failed. */
export const underLoad: (load: Load, seconds: number) => Promise<number> = hasWrk ? byWrk : byAutocannon;

const LOOKS_FOR_THE_END_MS = 50;

/** Sends each body once, over 16 connections, and answers how many were answered a second. @throws Error when any failed. */
export const sendOnce = async (load: Omit<Load, 'body'>, bodies: readonly string[]): Promise<number> => {
  const left = [...bodies];
  const startedAt = performance.now();
  let lastAnswerAt = startedAt;
  const running = autocannon({
    url: load.url,
    connections: CONNECTIONS,
    amount: bodies.length,
    sampleInt: LOOKS_FOR_THE_END_MS,
    requests: [
      {
        method: 'POST',
        headers: { ...load.headers },
        setupRequest: (request) => ({ ...request, body: left.pop() ?? '' }),
      },
    ],
  });
  // It looks for its end now and then only.
  running.on('response', () => {
    lastAnswerAt = performance.now();
  });
  const result = await running;
  refuseFailures(result.non2xx + result.errors);
  return result['2xx'] / ((lastAnswerAt - startedAt) / 1_000);
};

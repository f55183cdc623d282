import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

/** A request that senders post; each `{n}` in its body becomes another number with every request. */
export interface SentRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Sending {
  /** Where the service listens. */
  readonly url: string;
  /** Sent in turn. */
  readonly requests: readonly SentRequest[];
  readonly connections: number;
  readonly seconds: number;
  /** As fast as they are answered, unless given. */
  readonly perSecond?: number;
}

interface Sent {
  readonly perSecond: number;
  /** How many were answered. */
  readonly answered: number;
  /** How long 99 of 100 took at most in milliseconds, where a rate was given. */
  readonly p99: number;
}

const PROGRAM = fileURLToPath(new URL('../bench/peers/senders.js', import.meta.url));

const NUMBERS_OF_ONE_RUN = 1_000_000;
let runs = 0;

/** Sends requests in turn, from a process of its own that takes little from what it measures. @throws Error when any failed. */
export const send = async (sending: Sending): Promise<Sent> => {
  const child = spawn(process.execPath, [PROGRAM], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(JSON.stringify({ ...sending, firstNumber: (runs += 1) * NUMBERS_OF_ONE_RUN }));
  const { answered, failed, elapsed, p99 } = JSON.parse(await text(child.stdout)) as {
    readonly answered: number;
    readonly failed: number;
    readonly elapsed: number;
    readonly p99: number | null;
  };
  if (failed > 0) throw new Error(`${failed} requests failed.`);
  return { answered, perSecond: answered / elapsed, p99: p99 ?? NaN };
};

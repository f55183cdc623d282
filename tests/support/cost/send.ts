import { request } from 'node:http';

/** A request as it goes out, with nothing left to be made of it. */
export interface Sent {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  /** In pieces of unannounced length in all. */
  readonly chunked?: boolean;
}

export interface Answered {
  /** 0 when the connection ended without an answer. */
  readonly status: number;
  readonly bytes: number;
  readonly tookMs: number;
  readonly retryAfter: boolean;
  /** Nothing came in the time that was given. */
  readonly gaveUp: boolean;
  /** Where an answer of 500 or more begins. */
  readonly beginning: string;
}

const PIECE = 65_536;

const write = (outgoing: ReturnType<typeof request>, body: Buffer, from = 0): void => {
  for (let at = from; at < body.length; at += PIECE) {
    if (outgoing.destroyed) return;
    const next = at + PIECE;
    if (!outgoing.write(body.subarray(at, next))) return void outgoing.once('drain', () => write(outgoing, body, next));
  }
  outgoing.end();
};

/** Sends a request over a connection of its own and reads the whole answer. */
export const send = (
  port: number,
  { method, path, headers, body, chunked = false }: Sent,
  patienceMs: number,
): Promise<Answered> =>
  new Promise((resolve) => {
    const startedAt = performance.now();
    let [status, bytes, retryAfter, gaveUp, beginning] = [0, 0, false, false, ''];
    const length = body !== undefined && !chunked ? { 'Content-Length': String(body.length) } : {};
    const outgoing = request({
      port,
      host: '127.0.0.1',
      method,
      path,
      agent: false,
      headers: { ...headers, ...length },
    });
    const patience = setTimeout(() => {
      gaveUp = true;
      outgoing.destroy();
    }, patienceMs);
    const finish = (): void => {
      clearTimeout(patience);
      resolve({ status, bytes, retryAfter, gaveUp, beginning, tookMs: performance.now() - startedAt });
    };
    outgoing.on('response', (answer) => {
      status = answer.statusCode ?? 0;
      retryAfter = answer.headers['retry-after'] !== undefined;
      answer.on('data', (chunk: Buffer) => {
        if (status >= 500 && bytes === 0) beginning = chunk.toString('utf8', 0, 200);
        bytes += chunk.length;
      });
      answer.on('error', () => undefined);
      answer.once('end', () => outgoing.destroy());
    });
    // A refusal may come before the body has gone out.
    outgoing.on('error', () => undefined);
    outgoing.once('close', finish);
    if (body === undefined) outgoing.end();
    else write(outgoing, body);
  });

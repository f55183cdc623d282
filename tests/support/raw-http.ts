import { connect } from 'node:net';
import { request } from 'node:http';

/** Against a connection that nobody ends; no judgement of time. */
const SILENCE_MS = 120_000;

/**
 * Sends bytes as they are, and answers everything that came back until the connection ended.
 *
 * @param enough what has to have come, where the other side leaves the connection open.
 */
export const sendRaw = (port: number, text: string, enough?: RegExp): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.setTimeout(SILENCE_MS, () => socket.destroy(new Error(`Neither ended nor enough: ${answer}`)));
    socket.on('data', (chunk) => {
      answer += chunk.toString();
      if (enough?.test(answer) === true) socket.destroy();
    });
    socket.on('close', () => resolve(answer));
    // The other side may end the connection while there is more to be sent.
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' || error.code === 'EPIPE' ? resolve(answer) : reject(error),
    );
  });

/** The status codes of answers that came one after the other. */
export const statusesIn = (answer: string): number[] =>
  [...answer.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));

export interface TimedAnswer {
  readonly status: number;
  readonly milliseconds: number;
}

/** Sends JSON by any method, GET too, as `fetch` would not, and takes the time. */
export const timeJson = (method: string, url: string, token: string, json: unknown): Promise<TimedAnswer> =>
  new Promise((resolve, reject) => {
    const body = JSON.stringify(json);
    const headers = {
      'PRIVATE-TOKEN': token,
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
    };
    const startedAt = performance.now();
    request(url, { method, headers }, (response) => {
      response.resume();
      response.once('end', () =>
        resolve({ status: response.statusCode ?? 0, milliseconds: performance.now() - startedAt }),
      );
    })
      .once('error', reject)
      .end(body);
  });

import { connect, type Socket } from 'node:net';
import type { Load } from './load.js';

const END_OF_HEAD = '\r\n\r\n';
const END_OF_CHUNKS = '0\r\n\r\n';

type WhenAnswered = (succeeded: boolean) => void;

/** The request as bytes, but for the length and text of its body. */
const startOf = ({ url, method = 'GET', headers = {} }: Load): string => {
  const { host, pathname, search } = new URL(url);
  const lines = Object.entries({ Host: host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${pathname}${search} HTTP/1.1\r\n${lines.join('')}`;
};

/**
 * A connection that repeats a request, one at a time, and opens again after it was closed. It reads no more of an answer than its status and
 * where it ends: at ten thousand requests a second a whole client of HTTP would be slower than what it measures.
 */
export class LeanConnection {
  readonly #start: string;
  #socket: Socket | undefined;
  #answered: WhenAnswered | undefined;
  #head = '';
  #missing: number | undefined;
  #succeeds = false;
  #closes = false;

  constructor(private readonly load: Load) {
    this.#start = startOf(load);
  }

  /** `answered` is told once, and whether it was by a status of 2xx. */
  send(body: string | undefined, answered: WhenAnswered): void {
    this.#answered = answered;
    const length = body === undefined ? '' : `Content-Length: ${Buffer.byteLength(body)}\r\n`;
    this.#socket ??= this.#open();
    this.#socket.write(`${this.#start}${length}\r\n${body ?? ''}`);
  }

  close(): void {
    this.#socket?.destroy();
  }

  #open(): Socket {
    const { hostname, port } = new URL(this.load.url);
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    socket.on('data', (bytes: Buffer) => {
      if (this.#socket === socket) this.#read(bytes);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      if (this.#socket === socket) this.#end(false);
    });
    return socket;
  }

  #read(bytes: Buffer): void {
    if (this.#missing === undefined) this.#readHead(bytes.toString('latin1'));
    else if (this.#missing === Infinity)
      this.#missing = bytes.toString('latin1').endsWith(END_OF_CHUNKS) ? 0 : Infinity;
    else this.#missing -= bytes.length;
    if (this.#missing === 0) this.#end(this.#succeeds);
  }

  #readHead(text: string): void {
    this.#head += text;
    const end = this.#head.indexOf(END_OF_HEAD);
    if (end < 0) return;
    const head = this.#head.slice(0, end).toLowerCase();
    const body = this.#head.slice(end + END_OF_HEAD.length);
    this.#succeeds = head[9] === '2';
    this.#closes = head.includes('\r\nconnection: close');
    if (head.includes('\r\ntransfer-encoding: chunked')) this.#missing = body.endsWith(END_OF_CHUNKS) ? 0 : Infinity;
    else this.#missing = Number(/\r\ncontent-length: (\d+)/.exec(head)?.[1] ?? 0) - body.length;
  }

  #end(succeeded: boolean): void {
    if (this.#closes || !succeeded) {
      this.#socket?.destroy();
      this.#socket = undefined;
    }
    [this.#head, this.#missing, this.#closes] = ['', undefined, false];
    const answered = this.#answered;
    this.#answered = undefined;
    answered?.(succeeded);
  }
}

import { connect, type Socket } from 'node:net';
import type { IntegrationBody } from './alerting.js';
import { statusesIn } from './raw-http.js';

interface LateRequestParts {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A request whose head was sent, and whose body is still to come. */
export class LateRequest {
  private answer = '';
  private readonly closed: Promise<void>;

  private constructor(
    private readonly socket: Socket,
    private readonly rest: string,
  ) {
    socket.on('data', (chunk) => (this.answer += chunk.toString()));
    socket.on('error', () => undefined);
    this.closed = new Promise((resolve) => socket.once('close', () => resolve()));
  }

  static async begin({ url, headers, body }: LateRequestParts): Promise<LateRequest> {
    const { hostname, port, pathname } = new URL(url);
    const socket = connect(Number(port), hostname === 'localhost' ? '127.0.0.1' : hostname);
    await new Promise<void>((resolve) => socket.once('connect', () => resolve()));
    const request = new LateRequest(socket, body.slice(5));
    const all = {
      Host: 'gatehouse',
      Connection: 'close',
      ...headers,
      'Content-Length': String(Buffer.byteLength(body)),
    };
    const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`POST ${pathname} HTTP/1.1\r\n${head.join('')}\r\n${body.slice(0, 5)}`);
    return request;
  }

  static beginAlert({ url, token }: IntegrationBody, body: string): Promise<LateRequest> {
    return LateRequest.begin({
      url,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body,
    });
  }

  async finish(): Promise<{ status: number; text: string }> {
    this.socket.write(this.rest);
    await this.closed;
    return { status: statusesIn(this.answer)[0] ?? 0, text: this.answer };
  }
}

import { connect, type Socket } from 'node:net';
import type { IntegrationBody } from './alerting.js';
import { statusesIn } from './raw-http.js';

/** An alert whose head was sent, and whose body is still to come. */
export class LateRequest {
  private answer = '';
  private readonly closed: Promise<void>;

  private constructor(
    private readonly socket: Socket,
    private readonly body: string,
  ) {
    socket.on('data', (chunk) => (this.answer += chunk.toString()));
    socket.on('error', () => undefined);
    this.closed = new Promise((resolve) => socket.once('close', () => resolve()));
  }

  static async begin({ url, token }: IntegrationBody, body: string): Promise<LateRequest> {
    const { hostname, port, pathname } = new URL(url);
    const socket = connect(Number(port), hostname === 'localhost' ? '127.0.0.1' : hostname);
    await new Promise<void>((resolve) => socket.once('connect', () => resolve()));
    const request = new LateRequest(socket, body);
    socket.write(
      `POST ${pathname} HTTP/1.1\r\nHost: gatehouse\r\nConnection: close\r\nAuthorization: Bearer ${token}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body.slice(0, 5)}`,
    );
    return request;
  }

  async finish(): Promise<{ status: number; text: string }> {
    this.socket.write(this.body.slice(5));
    await this.closed;
    return { status: statusesIn(this.answer)[0] ?? 0, text: this.answer };
  }
}

import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server that answers clients of git as a test says. */
export class Elsewhere {
  private constructor(
    private readonly server: Server,
    /** Method and path of each request. */
    readonly asked: string[],
  ) {}

  static async start(answer: RequestListener): Promise<Elsewhere> {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      answer(request, response);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Elsewhere(server, asked);
  }

  /** The same while a work goes on. */
  static async during(answer: RequestListener, work: (elsewhere: Elsewhere) => Promise<void>): Promise<void> {
    const elsewhere = await Elsewhere.start(answer);
    try {
      await work(elsewhere);
    } finally {
      await elsewhere.close();
    }
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/x.git`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}

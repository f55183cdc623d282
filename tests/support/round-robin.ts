import { once } from 'node:events';
import { createServer, request as ask, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Longer than the nodes', whose promise of how long a connection is kept goes to the clients with their answers. */
const KEEP_ALIVE_TIMEOUT_MS = 120_000;

/** A proxy that hands every request to the next node, as in front of several processes. */
export class RoundRobin {
  #nodes: readonly string[] = [];
  #turn = 0;

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async listen(): Promise<RoundRobin> {
    const server = createServer({ keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const proxy = new RoundRobin(server, `http://localhost:${(server.address() as AddressInfo).port}`);
    server.on('request', (incoming, outgoing) => {
      const onward = ask(proxy.#next() + (incoming.url ?? ''), { method: incoming.method, headers: incoming.headers });
      onward.on('response', (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      });
      onward.on('error', () => outgoing.destroy());
      incoming.pipe(onward);
    });
    return proxy;
  }

  lead(nodes: readonly string[]): void {
    this.#nodes = nodes;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  #next(): string {
    this.#turn = (this.#turn + 1) % this.#nodes.length;
    return this.#nodes[this.#turn] ?? '';
  }
}

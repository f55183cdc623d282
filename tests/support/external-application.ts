import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The web server of an application on a person's machine: all it does is to be where people are sent back to. */
export class ExternalApplication {
  private constructor(
    private readonly server: Server,
    readonly callback: string,
  ) {}

  /** @param home where its callback sends people on to; undefined where it answers with a page itself. */
  static async listen(home?: string): Promise<ExternalApplication> {
    const server = createServer((_request, response) => {
      if (home !== undefined) return response.writeHead(302, { Location: home }).end();
      response
        .writeHead(200, { 'Content-Type': 'text/html' })
        .end('<!doctype html><title>Engine</title><h1>Engine</h1>');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new ExternalApplication(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}

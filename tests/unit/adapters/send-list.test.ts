import { once } from 'node:events';
import { get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import express, { type Response } from 'express';
import { BegunList } from '../../../src/adapters/inbound/http/send-list.js';
import { until } from '../../support/until.js';

const BATCHES = 200;
const TEXT = 'x'.repeat(500_000);

/** Batches of large items: how many were asked for, and whether their reading was ended. */
class Source {
  read = 0;
  ended = false;

  constructor(private readonly failsAt = Infinity) {}

  async *batches(): AsyncGenerator<readonly unknown[], void, undefined> {
    try {
      for (; this.read < BATCHES;) {
        this.read += 1;
        if (this.read > this.failsAt) throw new Error('The database is gone.');
        yield await Promise.resolve([{ number: this.read, text: TEXT }]);
      }
    } finally {
      this.ended = true;
    }
  }
}

describe('a list that is sent in pieces', () => {
  let server: Server;

  afterEach(() => {
    server.close();
    server.closeAllConnections();
  });

  const serve = async (source: Source, failed: (error: unknown, response: Response) => void = () => undefined) => {
    const app = express();
    app.get('/', async (_request, response) => {
      try {
        await (await BegunList.begin(source.batches())).send(response);
      } catch (error) {
        failed(error, response);
      }
    });
    server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  };
  const open = (url: string) => new Promise<IncomingMessage>((resolve) => get(url, resolve));

  it('is whole for whoever reads it', async () => {
    const answer = await fetch(await serve(new Source()));
    const items = (await answer.json()) as { number: number }[];
    expect(items.map(({ number }) => number)).toEqual(Array.from({ length: BATCHES }, (_, index) => index + 1));
  });

  it('is read no further than its client takes it', async () => {
    const source = new Source();
    const response = await open(await serve(source));
    response.pause();
    let before = -1;
    // What lies in the buffers between the two is the system's.
    await until(() => {
      const still = source.read === before;
      before = source.read;
      return Promise.resolve(still && source.read > 0);
    });
    expect(source.read).toBeLessThan(BATCHES / 2);
    let bytes = 0;
    response.on('data', (chunk: Buffer) => (bytes += chunk.length));
    response.resume();
    await once(response, 'end');
    expect(bytes).toBeGreaterThan(BATCHES * TEXT.length);
  });

  it('is not read on once its client has left', async () => {
    const source = new Source();
    const response = await open(await serve(source));
    response.once('error', () => undefined);
    response.pause();
    await until(() => Promise.resolve(source.read > 1));
    response.destroy();
    await until(() => Promise.resolve(source.ended));
    expect(source.read).toBeLessThan(BATCHES);
  });

  it('is not begun when its first batch fails', async () => {
    const url = await serve(new Source(0), (_error, response) => response.status(503).end());
    expect((await fetch(url)).status).toBe(503);
  });

  it('breaks off when a later batch fails, so that nobody takes it for whole', async () => {
    const errors: unknown[] = [];
    const url = await serve(new Source(3), (error, response) => {
      errors.push(error);
      response.destroy();
    });
    const answer = await fetch(url);
    expect(answer.status).toBe(200);
    await expect(answer.text()).rejects.toThrow();
    expect(errors).toMatchObject([{ message: 'The database is gone.' }]);
  });
});

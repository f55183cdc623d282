import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { drainServer, prepareToDrain } from '../../../src/adapters/inbound/http/server/drain-server.js';

const LONGEST_MS = 10_000;

/** Sends requests over one connection from a thread of its own: it goes on while this one does not turn. */
const CLIENT = `
  const { parentPort, workerData: { port, sent } } = require('node:worker_threads');
  const { connect } = require('node:net');
  let socket;
  parentPort.on('message', () => {
    if (socket === undefined) {
      socket = connect(port, '127.0.0.1');
      socket.on('data', (answer) => parentPort.postMessage(String(answer)));
      socket.on('error', ({ code }) => parentPort.postMessage(code));
      socket.on('close', () => parentPort.postMessage('closed'));
    }
    socket.write('POST / HTTP/1.1\\r\\nHost: here\\r\\nContent-Length: 2\\r\\n\\r\\nhi', () => {
      Atomics.store(sent, 0, 1);
      Atomics.notify(sent, 0);
    });
  });
`;

describe('a server that drains', () => {
  let server: Server;
  let client: Worker;
  const sent = new Int32Array(new SharedArrayBuffer(4));

  beforeEach(async () => {
    server = createServer((request, response) => {
      begin(request, response, () => undefined);
      request.resume().once('end', () => response.end('heard'));
    });
    const begin = prepareToDrain(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    client = new Worker(CLIENT, { eval: true, workerData: { port, sent } });
    await once(client, 'online');
  });

  afterEach(async () => {
    await client.terminate();
    server.closeAllConnections();
  });

  const send = (): Promise<unknown[]> => {
    Atomics.store(sent, 0, 0);
    const answered = once(client, 'message');
    client.postMessage('send');
    return answered;
  };

  /** Stands still, as when other requests take long, until the client has sent what it was told to. */
  const standStill = (): void => {
    expect(Atomics.wait(sent, 0, 0, LONGEST_MS)).not.toBe('timed-out');
  };

  it('answers over a connection that was made before, and that it has not looked at yet', async () => {
    const answered = send();
    standStill();
    const drained = drainServer(server, { limitMs: LONGEST_MS, idleMs: 0 });
    const [answer] = await answered;
    expect(answer).toContain('200 OK');
    await drained;
  });

  it('answers what came over a connection that waited too long, and that it has not looked at yet', async () => {
    expect((await send())[0]).toContain('Connection: keep-alive');
    const idleMs = 100;
    const drained = drainServer(server, { limitMs: LONGEST_MS, idleMs });
    while (server.listening) await new Promise(setImmediate);
    const waitedFrom = performance.now();
    const answered = send();
    standStill();
    while (performance.now() - waitedFrom <= idleMs);
    const [answer] = await answered;
    expect(answer).toContain('200 OK');
    expect(answer).toContain('Connection: close');
    await drained;
  });

  it('closes a connection that nothing comes over', async () => {
    await send();
    const closed = once(client, 'message');
    await drainServer(server, { limitMs: LONGEST_MS, idleMs: 10 });
    expect(await closed).toEqual(['closed']);
  });
});

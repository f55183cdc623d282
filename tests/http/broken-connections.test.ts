import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import express from 'express';
import { createHttpServer } from '../../src/adapters/inbound/http/server/create-http-server.js';
import { LoopWatchdog } from '../../src/adapters/inbound/http/server/loop-watchdog.js';
import { RecordingLogger } from '../support/recording-logger.js';
import { until } from '../support/until.js';

const IN_A_ROW = 50;

const logger = new RecordingLogger();
const observed: number[] = [];
let server: Server;

beforeAll(async () => {
  server = createHttpServer({
    app: express(),
    // Never answered: the others wait behind it.
    leanPaths: [(request) => request.url === '/slow', (_request, response) => (response.end('quick'), true)],
    logger,
    metrics: { observe: (_exchange, _method, status) => void observed.push(status) },
    watchdog: new LoopWatchdog({ logger, counters: { count: () => undefined } }),
    newRequestId: () => 'an id',
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterAll(() => void server.close());

it('each of the requests in a row of a connection that breaks is logged and measured, once', async () => {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const paths = ['/slow', ...Array.from({ length: IN_A_ROW }, () => '/quick')];
  const begun = new Promise<void>((resolve) => {
    let seen = 0;
    server.on('request', () => {
      if ((seen += 1) === paths.length) resolve();
    });
  });
  socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''));
  await begun;
  socket.destroy();
  await until(() => Promise.resolve(observed.length >= paths.length));
  // Whatever would come a second time has come by then.
  await new Promise((resume) => setTimeout(resume, 50));
  expect(observed).toHaveLength(paths.length);
  // A busy machine may delay the loop, which has a line of its own.
  expect(logger.lines.filter(({ message }) => message === 'request')).toHaveLength(paths.length);
  expect(observed).toContain(499);
});

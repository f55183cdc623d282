import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import express from 'express';
import { createHttpServer } from '../../src/adapters/inbound/http/server/create-http-server.js';
import { exchangeOf } from '../../src/adapters/inbound/http/server/exchange.js';
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
    // The first two are never answered: others wait behind them.
    leanPaths: [
      ({ url }) => url === '/slow',
      // Nothing but its refusal ends it.
      (request) => request.url === '/unanswered' && (exchangeOf(request).unhurried = true),
      (_request, response) => (response.end('quick'), true),
    ],
    logger,
    metrics: { observe: (_exchange, _method, status) => void observed.push(status) },
    watchdog: new LoopWatchdog({ logger, counters: { count: () => undefined } }),
    newRequestId: () => 'an id',
    requestCame: () => undefined,
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

it('a request whose body turns out to be unreadable ends with its refusal, though its sender keeps the connection open', async () => {
  const before = observed.length;
  const socket = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', allowHalfOpen: true });
  const answered = new Promise<string>((resolve) => void socket.once('data', (text) => resolve(String(text))));
  socket.write('POST /unanswered HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n');
  await once(server, 'request');
  socket.write('no chunk\r\n');
  expect(await answered).toMatch(/^HTTP\/1\.1 400 /);
  await until(() => Promise.resolve(observed.length > before));
  socket.destroy();
});

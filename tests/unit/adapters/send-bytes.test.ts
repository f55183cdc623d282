import { once } from 'node:events';
import { Agent, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import express from 'express';
import { sendBytes } from '../../../src/adapters/inbound/http/send-bytes.js';

describe('bytes that are sent as they come', () => {
  let server: Server;
  let agent: Agent;
  let come: readonly string[];

  beforeEach(async () => {
    const app = express();
    app.get('/', async (_request, response) => {
      const bytes = async function* () {
        for (const text of come) yield await Promise.resolve(Buffer.from(text));
      };
      const head = { status: 200, headers: { 'Content-Length': '6' }, ranged: true };
      await sendBytes(response, () => Promise.resolve(bytes()), head);
    });
    server = app.listen(0, '127.0.0.1');
    // Nobody else ends a connection.
    server.keepAliveTimeout = 60_000;
    await once(server, 'listening');
    agent = new Agent({ keepAlive: true, maxSockets: 1 });
  });
  afterEach(() => {
    agent.destroy();
    server.close();
    server.closeAllConnections();
  });

  /** What is had of an answer: its text, and whether it was broken off. */
  const fetched = async (...texts: readonly string[]) => {
    come = texts;
    const { port } = server.address() as AddressInfo;
    const asking = get({ port, host: '127.0.0.1', agent });
    try {
      const [answer] = (await once(asking, 'response')) as [IncomingMessage];
      let text = '';
      for await (const chunk of answer) text += String(chunk);
      return text;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code;
    }
  };

  it('are as many as was said', async () => {
    expect([await fetched('abc', 'def'), await fetched('abcdef')]).toEqual(['abcdef', 'abcdef']);
  });

  it.each([
    ['fewer', ['abc']],
    ['none', []],
    ['more', ['abc', 'defg']],
    ['more at once', ['abcdefg']],
  ])(
    'break the connection where there are %s: nobody takes the next answer for a part of this one',
    async (_, texts) => {
      expect(await fetched(...texts)).toBe('ECONNRESET');
      expect(await fetched('ghi', 'jkl')).toBe('ghijkl');
    },
  );
});

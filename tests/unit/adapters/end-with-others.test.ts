import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { endWithOthers } from '../../../src/adapters/inbound/http/server/end-with-others.js';

describe('an answer that ends with others', () => {
  let server: Server;
  let handle: (request: IncomingMessage, response: ServerResponse) => void;
  let url: string;

  beforeEach(async () => {
    server = createServer((request, response) => handle(request, response)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  it('leaves once all of its turn have been worked on, in their order', async () => {
    const seen: string[] = [];
    const came: ServerResponse[] = [];
    handle = (_request, response) => {
      if (came.push(response) < 2) return;
      came.forEach((each, index) => {
        each.once('prefinish', () => seen.push(`answer ${index} ends`));
        endWithOthers(each, String(index));
        seen.push(`answer ${index} is given`);
      });
    };
    const answers = await Promise.all([fetch(url), fetch(url)]);
    const bodies = await Promise.all(answers.map((answer) => answer.text()));
    expect(bodies.sort()).toEqual(['0', '1']);
    expect(seen).toEqual(['answer 0 is given', 'answer 1 is given', 'answer 0 ends', 'answer 1 ends']);
  });

  it('has been given from then on: its head stands', async () => {
    handle = (_request, response) => {
      response.statusCode = 201;
      response.setHeader('X-Kind', 'first');
      endWithOthers(response, 'é', 'utf8');
      expect(response.headersSent).toBe(true);
      expect(() => response.setHeader('X-Kind', 'second')).toThrow();
    };
    const answer = await fetch(url);
    expect([answer.status, answer.headers.get('X-Kind'), await answer.text()]).toEqual([201, 'first', 'é']);
  });

  it('harms no other when its client is gone', async () => {
    const came: ServerResponse[] = [];
    handle = (_request, response) => {
      if (came.push(response) < 2) return;
      for (const each of came) endWithOthers(each, 'whole');
      came[0]!.destroy();
    };
    const gone = fetch(url).then(
      () => 'answered',
      () => 'gone',
    );
    while (came.length < 1) await new Promise((resume) => setImmediate(resume));
    const answer = await fetch(url);
    expect(await answer.text()).toBe('whole');
    expect(await gone).toBe('gone');
  });

  it.each(['HEAD', 'GET'])('has no body more than it may: %s of 304', async (method) => {
    handle = (_request, response) => {
      response.statusCode = 304;
      endWithOthers(response, '');
    };
    const answer = await fetch(url, { method });
    expect([answer.status, answer.headers.has('Transfer-Encoding'), await answer.text()]).toEqual([304, false, '']);
  });
});

import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { answerUnreadable } from '../../../src/adapters/inbound/http/server/answer-unreadable.js';
import { prepareToDrain } from '../../../src/adapters/inbound/http/server/drain-server.js';
import { RecordingLogger } from '../../support/recording-logger.js';

const NONSENSE = 'nonsense\r\n\r\n';
const ask = (path: string, rest = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${rest}\r\n`;

describe('what is no request', () => {
  let server: Server;
  let logger: RecordingLogger;
  let handle: (request: IncomingMessage, response: ServerResponse) => void;

  beforeEach(async () => {
    logger = new RecordingLogger();
    server = createServer((request, response) => {
      beginAnswer(request, response, () => undefined);
      handle(request, response);
    }).listen(0, '127.0.0.1');
    const beginAnswer = prepareToDrain(server);
    answerUnreadable(server, logger, () => 'an-id');
    await once(server, 'listening');
  });

  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  /** What comes back for these texts, which are sent one after the other: each once the one before has been heard of. */
  const exchange = async (texts: readonly string[], heardOf: Promise<unknown>): Promise<string> => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    let answer = '';
    socket.on('data', (chunk) => (answer += chunk.toString()));
    for (const [index, text] of texts.entries()) {
      if (index > 0) await heardOf;
      socket.write(text);
    }
    await once(socket, 'close');
    return answer;
  };

  const statusesIn = (answer: string) => [...answer.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status);

  it('is told behind an answer that goes on, however late that ends', async () => {
    const begun = new EventEmitter();
    const refused = new EventEmitter();
    server.on('clientError', () => refused.emit('now'));
    handle = (_request, response) => {
      response.setHeader('Content-Length', 8);
      response.write('half');
      begun.emit('now');
      refused.once('now', () => response.end('half'));
    };
    const answer = await exchange([ask('/'), NONSENSE + NONSENSE], once(begun, 'now'));
    expect(statusesIn(answer)).toEqual(['200', '400']);
    expect(answer).toMatch(/\r\n\r\nhalfhalfHTTP\/1\.1 400 /);
    expect(logger.lines).toMatchObject([{ fields: { route: 'unreadable', status: 400 } }]);
  });

  it('is told in place of an answer that waits for the rest of its request', async () => {
    const came = new EventEmitter();
    handle = () => came.emit('now');
    const chunked = ask('/', 'Transfer-Encoding: chunked\r\n').replace('GET', 'POST');
    expect(statusesIn(await exchange([chunked, NONSENSE], once(came, 'now')))).toEqual(['400']);
  });

  it('is not told of a request that was answered before its rest came, though its connection ends', async () => {
    const begun = new EventEmitter();
    const refused = new EventEmitter();
    server.on('clientError', () => refused.emit('now'));
    handle = (_request, response) => {
      response.writeHead(401, { 'Content-Length': 4 });
      response.write('no');
      begun.emit('now');
      refused.once('now', () => response.end('no'));
    };
    const chunked = ask('/', 'Transfer-Encoding: chunked\r\n').replace('GET', 'POST');
    const answer = await exchange([chunked, NONSENSE], once(begun, 'now'));
    expect(answer).toMatch(/^HTTP\/1\.1 401 [^]*\r\n\r\nnono$/);
  });
});

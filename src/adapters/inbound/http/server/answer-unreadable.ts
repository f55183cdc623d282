import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from '../../../../application/shared/ports/logger.js';
import { answersUnderWay } from './drain-server.js';

interface Words {
  readonly status: number;
  readonly reason: string;
  readonly message: string;
}

const WORDS: Readonly<Record<string, Words>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    reason: 'Request Header Fields Too Large',
    message: 'The address and headers of the request are too large.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, reason: 'Request Timeout', message: 'The request took too long to arrive.' },
};
const UNREADABLE: Words = { status: 400, reason: 'Bad Request', message: 'The request could not be read.' };

/** How long the other side has to read it and to close. */
const LINGER_MS = 2_000;

const answer = ({ status, reason, message }: Words, requestId: string): string => {
  const body = JSON.stringify({ error: message });
  const headers = {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    'X-Request-Id': requestId,
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${reason}`, ...lines, '', body].join('\r\n');
};

/**
 * A sender who does not close their side would keep what waits for the rest of their request: its turn among large bodies, and what has
 * arrived of it.
 */
const endSoon = (socket: Socket): void => {
  const timer = setTimeout(() => void socket.destroy(), LINGER_MS).unref();
  socket.once('close', () => clearTimeout(timer));
};

/** Whether it is to a request that is there in part, and hasn't begun: that one is told in its place. */
const isInDoubt = ({ req: request, headersSent }: ServerResponse): boolean => !request.complete && !headersSent;

/**
 * Answers what is no request: it gets an id, a reason in the shape of every other refusal, and a line in the log. What came before it on
 * its connection is answered first: whoever asked takes the answers in the order in which they asked.
 */
export const answerUnreadable = (server: Server, logger: Logger, newRequestId: () => string): void => {
  const waiting = new WeakSet<Socket>();

  const say = (socket: Socket, words: Words): void => {
    const requestId = newRequestId();
    logger.info('request', {
      requestId,
      method: '',
      route: 'unreadable',
      status: words.status,
      durationMs: 0,
      actor: 'anonymous',
    });
    socket.end(answer(words, requestId));
    endSoon(socket);
  };

  /** @param told whether the answer to what can't be read to its end had begun: it is all that is said of that. */
  const sayAfterOthers = (socket: Socket, words: Words, told = false): void => {
    if (!socket.writable) return;
    const [next] = answersUnderWay(server, socket).filter((each) => !isInDoubt(each));
    if (next !== undefined) next.once('close', () => sayAfterOthers(socket, words, told || !next.req.complete));
    else if (told) socket.end(() => void socket.destroy());
    else say(socket, words);
  };

  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    // What follows is read as little.
    if (waiting.has(socket)) return;
    waiting.add(socket);
    sayAfterOthers(socket, WORDS[error.code ?? ''] ?? UNREADABLE);
  });
};

import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from '../../../../application/shared/ports/logger.js';

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
const endSoon = (socket: Duplex): void => {
  const timer = setTimeout(() => void socket.destroy(), LINGER_MS).unref();
  socket.once('close', () => clearTimeout(timer));
};

/** Answers what is no request: it gets an id, a reason in the shape of every other refusal, and a line in the log. */
export const answerUnreadable = (server: Server, logger: Logger, newRequestId: () => string): void => {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    const words = WORDS[error.code ?? ''] ?? UNREADABLE;
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
  });
};

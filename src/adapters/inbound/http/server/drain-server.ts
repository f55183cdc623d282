import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setImmediate as endOfTurn } from 'node:timers/promises';

const LOOK_AGAIN_MS = 25;
/** A turn of the event loop in which next to nothing can have arrived behind what it read. */
const SHORT_TURN_MS = 1;
const TURNS_AT_MOST = 100;

/** Of each connection the answers that it has not got yet, with what is to be done when they end. */
type Running = Map<Socket, Map<ServerResponse, () => void>>;

const runningAnswers = new WeakMap<Server, Running>();
const draining = new WeakSet<Server>();

/** The answers to what came on a connection that have not ended, in the order in which it came. */
export const answersUnderWay = (server: Server, socket: Socket): readonly ServerResponse[] => [
  ...(runningAnswers.get(server)?.get(socket)?.keys() ?? []),
];

const sayItEnds = (response: ServerResponse): void => {
  if (!response.headersSent) response.setHeader('Connection', 'close');
};

/**
 * Resolves right after a short turn of the event loop has read what had arrived. What the system holds and nobody has read is lost with
 * whatever it arrived at: a connection that is to be accepted with a server, a request with its connection.
 */
const readWhatArrived = async (): Promise<void> => {
  // This turn may have looked before it came here.
  await endOfTurn();
  for (let turn = 1; turn <= TURNS_AT_MOST; turn += 1) {
    const startedAt = performance.now();
    await endOfTurn();
    if (performance.now() - startedAt < SHORT_TURN_MS) return;
  }
};

/** Tells a server of an answer that has begun; `ended` is called once, when it has ended or its connection has. */
export type BeginAnswer = (request: IncomingMessage, response: ServerResponse, ended: () => void) => void;

/** Keeps track of the answers of a server, so that each can say that its connection ends with it. */
export const prepareToDrain = (server: Server): BeginAnswer => {
  const running: Running = new Map();
  runningAnswers.set(server, running);

  const answersOn = (socket: Socket): Map<ServerResponse, () => void> => {
    const known = running.get(socket);
    if (known !== undefined) return known;
    const answers = new Map<ServerResponse, () => void>();
    running.set(socket, answers);
    // Of requests that came in a row only the one being answered hears that the connection is gone.
    socket.once('close', () => {
      running.delete(socket);
      const left = [...answers.values()];
      answers.clear();
      left.forEach((ended) => ended());
    });
    return answers;
  };

  return (request, response, ended) => {
    if (!server.listening) sayItEnds(response);
    const answers = answersOn(request.socket);
    answers.set(response, ended);
    response.once('close', () => {
      if (answers.delete(response)) ended();
    });
  };
};

export interface Drain {
  /** How long running requests may take. */
  readonly limitMs: number;
  /** How long a connection that waits for its next request is kept: each is answered, and hears that the connection ends with it. */
  readonly idleMs: number;
}

/**
 * Takes no new connection, lets running requests end, and cuts off what has not ended in time. A proxy sends the next request over a
 * connection that it has, and can't send one again that may have arrived: none is closed under it while it is in use.
 */
export const drainServer = async (server: Server, { limitMs, idleMs }: Drain): Promise<void> => {
  if (!server.listening || draining.has(server)) return;
  draining.add(server);
  // Until then no answer says that its connection ends: whoever hears that makes another one, which might arrive behind what is read.
  await readWhatArrived();
  const closed = once(server, 'close');
  // Not by the method of HTTP servers, which closes idle connections at once.
  NetServer.prototype.close.call(server);
  runningAnswers.get(server)?.forEach((answers) => answers.forEach((_, response) => sayItEnds(response)));
  const idleUntil = performance.now() + idleMs;
  // A connection falls idle when its answer was on its way already; whoever keeps it open must not keep the process.
  const idle = setInterval(() => {
    if (performance.now() >= idleUntil) void readWhatArrived().then(() => server.closeIdleConnections());
  }, LOOK_AGAIN_MS);
  const limit = setTimeout(() => server.closeAllConnections(), limitMs);
  await closed;
  clearInterval(idle);
  clearTimeout(limit);
  // It looks after its connections no longer.
  server.close();
};

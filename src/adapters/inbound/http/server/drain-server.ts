import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';

const LOOK_AGAIN_MS = 25;

const runningAnswers = new WeakMap<Server, Set<ServerResponse>>();

const sayItEnds = (response: ServerResponse): void => {
  if (!response.headersSent) response.setHeader('Connection', 'close');
};

/** What a server is to tell of its answers, so that each can say that its connection ends with it. */
export interface RunningAnswers {
  begun(response: ServerResponse): void;
  ended(response: ServerResponse): void;
}

export const prepareToDrain = (server: Server): RunningAnswers => {
  const running = new Set<ServerResponse>();
  runningAnswers.set(server, running);
  return {
    begun: (response) => {
      if (!server.listening) sayItEnds(response);
      running.add(response);
    },
    ended: (response) => void running.delete(response),
  };
};

/**
 * Takes no new connection, lets running requests end, and cuts off what has not ended in time.
 *
 * @param limitMs how long running requests may take.
 */
export const drainServer = async (server: Server, limitMs: number): Promise<void> => {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  runningAnswers.get(server)?.forEach(sayItEnds);
  // A connection falls idle when its answer was on its way already; whoever keeps it open must not keep the process.
  const idle = setInterval(() => server.closeIdleConnections(), LOOK_AGAIN_MS);
  const limit = setTimeout(() => server.closeAllConnections(), limitMs);
  await closed;
  clearInterval(idle);
  clearTimeout(limit);
};

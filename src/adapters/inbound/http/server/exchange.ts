import type { IncomingMessage } from 'node:http';

/** One request and its answer, as the access line and the metrics tell of it. */
export interface Exchange {
  readonly id: string;
  /** The declared path, never the one sent: that may hold secrets. */
  route: string;
  actor: string;
}

const exchanges = new WeakMap<IncomingMessage, Exchange>();

export const openExchange = (request: IncomingMessage, id: string): Exchange => {
  const exchange: Exchange = { id, route: 'unmatched', actor: 'anonymous' };
  exchanges.set(request, exchange);
  return exchange;
};

/** @throws Error outside a server of ours. */
export const exchangeOf = (request: IncomingMessage): Exchange => {
  const exchange = exchanges.get(request);
  if (exchange === undefined) throw new Error('This request did not come through the HTTP server.');
  return exchange;
};

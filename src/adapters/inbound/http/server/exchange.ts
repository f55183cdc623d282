import type { IncomingMessage } from 'node:http';

/** One request and its answer, as the access line and the metrics tell of it. */
export interface Exchange {
  readonly id: string;
  /** The declared path, never the one sent: that may hold secrets. */
  route: string;
  actor: string;
  /** Asked by machines every few seconds: its access line matters only to who debugs, unless it failed. */
  routine: boolean;
  /** Its body may take as long as it keeps arriving. */
  unhurried: boolean;
}

// On the request itself: a map beside it costs as much again to collect (`docs/performance.md`).
const EXCHANGE = Symbol('exchange');

interface WithExchange {
  [EXCHANGE]?: Exchange;
}

export const openExchange = (request: IncomingMessage, id: string): Exchange => {
  const exchange: Exchange = { id, route: 'unmatched', actor: 'anonymous', routine: false, unhurried: false };
  (request as WithExchange)[EXCHANGE] = exchange;
  return exchange;
};

/** @throws Error outside a server of ours. */
export const exchangeOf = (request: IncomingMessage): Exchange => {
  const exchange = (request as WithExchange)[EXCHANGE];
  if (exchange === undefined) throw new Error('This request did not come through the HTTP server.');
  return exchange;
};

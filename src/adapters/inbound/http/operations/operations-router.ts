import { createHash, timingSafeEqual } from 'node:crypto';
import { Router, type Request, type Response } from 'express';
import { exchangeOf } from '../server/exchange.js';
import { sendJson } from '../send-json.js';

export interface OperationsRouterParts {
  /** Resolves when the dependency answers, rejects with the reason when it does not. */
  readonly checks: Readonly<Record<string, () => Promise<void>>>;
  /** The same for what only a part of the service needs: named when it fails, and no reason to send nobody here. */
  readonly partialChecks?: Readonly<Record<string, () => Promise<void>>>;
  /** What goes on that is no failure. */
  readonly remarks?: () => Readonly<Record<string, string>>;
  readonly exposeMetrics: () => Promise<{ readonly contentType: string; readonly text: string }>;
  /** When given, metrics are for those who send it as a Bearer token. */
  readonly metricsToken?: string | undefined;
}

type Check = 'ok' | { readonly status: 'failed'; readonly reason: string };

const run = async (check: () => Promise<void>): Promise<Check> => {
  try {
    await check();
    return 'ok';
  } catch (error) {
    // The kind of failure alone: a driver's message may hold addresses.
    return { status: 'failed', reason: error instanceof Error ? error.message : 'unknown' };
  }
};

const runAll = (checks: OperationsRouterParts['checks']) =>
  Promise.all(Object.entries(checks).map(async ([name, check]) => [name, await run(check)] as const));

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Whether a request carries the token. Digests have one length, so that nothing is told by how long the comparison takes. */
const createHasToken = (token: string): ((request: Request) => boolean) => {
  const expected = sha256(token);
  return ({ headers: { authorization = '' } }) => {
    const presented = /^Bearer +(\S+) *$/i.exec(authorization)?.[1] ?? '';
    return timingSafeEqual(sha256(presented), expected);
  };
};

/** What operators and their machines ask: alive, ready, and how it goes. */
export const createOperationsRouter = (parts: OperationsRouterParts): Router => {
  const { checks, partialChecks = {}, remarks = () => ({}), exposeMetrics, metricsToken } = parts;
  const router = Router({ caseSensitive: true });

  /** The name of a request is its declared address, never the one that was sent. */
  const get = (path: string, answer: (response: Response, request: Request) => unknown): void =>
    void router.get(path, (request, response) => {
      exchangeOf(request).route = path;
      response.set({ 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' });
      return answer(response, request);
    });
  const getHealth = (path: string, answer: (response: Response) => unknown): void =>
    get(path, (response, request) => {
      exchangeOf(request).routine = true;
      return answer(response);
    });

  getHealth('/-/health', (response) => response.type('text/plain').send('GatehouseOK'));
  getHealth('/-/liveness', (response) => sendJson(response, { status: 'ok' }));

  getHealth('/-/readiness', async (response) => {
    const [results, partial] = await Promise.all([runAll(checks), runAll(partialChecks)]);
    const ready = results.every(([, result]) => result === 'ok');
    if (!ready) response.status(503).set('Retry-After', '5');
    const failing = partial.filter(([, result]) => result !== 'ok');
    const said = { checks: Object.fromEntries([...results, ...failing]), ...remarks() };
    sendJson(response, { status: ready ? 'ok' : 'failed', ...said });
  });

  const mayReadMetrics = metricsToken === undefined ? () => true : createHasToken(metricsToken);
  get('/-/metrics', async (response, request) => {
    if (!mayReadMetrics(request)) {
      response.status(401).set('WWW-Authenticate', 'Bearer realm="metrics"');
      sendJson(response, { message: '401 Unauthorized' });
      return;
    }
    const { contentType, text } = await exposeMetrics();
    response.setHeader('Content-Type', contentType);
    response.send(Buffer.from(text));
  });

  return router;
};

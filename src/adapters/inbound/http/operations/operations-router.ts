import { Router, type Response } from 'express';
import { exchangeOf } from '../server/exchange.js';
import { sendJson } from '../send-json.js';

export interface OperationsRouterParts {
  /** Resolves when the dependency answers, rejects with the reason when it does not. */
  readonly checks: Readonly<Record<string, () => Promise<void>>>;
  readonly exposeMetrics: () => Promise<{ readonly contentType: string; readonly text: string }>;
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

/** What an operator and his machines ask: alive, ready, and how it goes. */
export const createOperationsRouter = ({ checks, exposeMetrics }: OperationsRouterParts): Router => {
  const router = Router({ caseSensitive: true });

  /** The name of a request is its declared address, never the one that was sent. */
  const get = (path: string, answer: (response: Response) => unknown): void =>
    void router.get(path, (request, response) => {
      exchangeOf(request).route = path;
      response.set({ 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' });
      return answer(response);
    });

  get('/-/health', (response) => response.type('text/plain').send('GatehouseOK'));
  get('/-/liveness', (response) => sendJson(response, { status: 'ok' }));

  get('/-/readiness', async (response) => {
    const results = await Promise.all(
      Object.entries(checks).map(async ([name, check]) => [name, await run(check)] as const),
    );
    const ready = results.every(([, result]) => result === 'ok');
    if (!ready) response.status(503).set('Retry-After', '5');
    sendJson(response, { status: ready ? 'ok' : 'failed', checks: Object.fromEntries(results) });
  });

  get('/-/metrics', async (response) => {
    const { contentType, text } = await exposeMetrics();
    response.setHeader('Content-Type', contentType);
    response.send(Buffer.from(text));
  });

  return router;
};

import { Counter, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import type { CounterName, Counters } from '../../../application/shared/ports/counters.js';

const COUNTERS: Readonly<Record<CounterName, { readonly help: string; readonly labels: readonly string[] }>> = {
  tokens_issued_total: { help: 'Tokens issued, by grant.', labels: ['grant'] },
  token_reuses_total: {
    help: 'Codes and refresh tokens used again so that what they had given was revoked, by kind.',
    labels: ['kind'],
  },
  alerts_total: { help: 'Alerts that arrived, by what became of them.', labels: ['outcome'] },
  sign_ins_total: { help: 'Attempts to sign in, by outcome.', labels: ['outcome'] },
  expired_rows_removed_total: { help: 'Expired rows removed by the clean-up, by table.', labels: ['table'] },
  jobs_total: { help: 'Background jobs run, by kind and outcome.', labels: ['kind', 'outcome'] },
  mails_total: { help: 'Attempts to send a mail, by outcome.', labels: ['outcome'] },
  event_loop_delays_total: { help: 'Times that the event loop was held for 200 ms or longer.', labels: [] },
  mails_queued_total: { help: 'Mails queued, by template.', labels: ['template'] },
};

// Few: each is a line for every method, route and status that was seen, and writing them all holds others up.
const DURATION_BUCKETS = [0.005, 0.01, 0.05, 0.1, 0.25, 1, 2.5, 10];

export interface Metrics extends Counters {
  observeRequest(method: string, route: string, status: number, seconds: number): void;
  /** The Prometheus text format. */
  expose(): Promise<{ readonly contentType: string; readonly text: string }>;
}

export const createPrometheusMetrics = (): Metrics => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the first byte of a request to the end of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: DURATION_BUCKETS,
    registers: [registry],
  });
  const counters = Object.fromEntries(
    Object.entries(COUNTERS).map(([name, { help, labels }]) => [
      name,
      new Counter({ name: `gatehouse_${name}`, help, labelNames: [...labels], registers: [registry] }),
    ]),
  ) as Record<CounterName, Counter>;
  return {
    count: (name, labels = {}, by = 1) => counters[name].inc(labels, by),
    observeRequest: (method, route, status, seconds) =>
      durations.observe({ method, route, status: String(status) }, seconds),
    expose: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  };
};

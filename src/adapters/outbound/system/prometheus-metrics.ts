import { setImmediate as others } from 'node:timers/promises';
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import type { CounterDeclarations, Counters } from '../../../application/shared/ports/counters.js';

/** What is read when metrics are asked for. Names are without the `gatehouse_` prefix. */
const GAUGES = {
  mails_waiting: { help: 'Mails in the queue, counted up to 10,000.', labels: [] },
  jobs_waiting: { help: 'Background jobs in the queue, counted up to 10,000.', labels: [] },
  alerts_open: { help: 'Alerts that are not resolved, counted up to 10,000.', labels: [] },
  database_connections: {
    help: 'Connections to the database by state: used, idle, and waiting for one.',
    labels: ['state'],
  },
  database_connections_max: { help: 'Connections that this process may open.', labels: [] },
  replica_state: {
    help: '1 for how the replica that lists are read from is at this moment, else 0.',
    labels: ['state'],
  },
  storage_move_state: { help: '1 for what a move of the storage does at this moment, else 0.', labels: ['state'] },
  storage_move_rows_copied: { help: 'Rows that have arrived, while the storage is moved.', labels: [] },
  storage_move_rows_known: { help: 'Rows that there were when the move of the storage began.', labels: [] },
  event_loop_delay_seconds: { help: 'Longest delay of the event loop in the last 30 to 60 seconds.', labels: [] },
  build_info: {
    help: 'Always 1: the version, the runtime and the database engine.',
    labels: ['version', 'node', 'database'],
  },
} as const satisfies Readonly<Record<string, { readonly help: string; readonly labels: readonly string[] }>>;
export type GaugeName = keyof typeof GAUGES;

/** A value for some labels. */
export type Reading = readonly [labels: Readonly<Record<string, string>>, value: number];

// Few: each is a line for every method, route and status that was seen, and writing them all holds others up.
const DURATION_BUCKETS = [0.005, 0.01, 0.05, 0.1, 0.25, 1, 2.5, 10];

/** What stands before the lines of a metric. */
const HEAD = /^(?:# .*\n)+/;
const PARTS = 16;

export interface Metrics<Counted extends CounterDeclarations> extends Counters<Counted> {
  observeRequest(method: string, route: string, status: number, seconds: number): void;
  /** Reads a gauge whenever metrics are asked for. No readings: the gauge has no value then. */
  gauge(name: GaugeName, read: () => readonly Reading[] | Promise<readonly Reading[]>): void;
  /** The Prometheus text format. */
  expose(): Promise<{ readonly contentType: string; readonly text: string }>;
}

/** Every combination of the values of labels. */
const combinations = (
  labels: Readonly<Record<string, readonly string[]>>,
): readonly Readonly<Record<string, string>>[] =>
  Object.entries(labels).reduce<readonly Readonly<Record<string, string>>[]>(
    (before, [label, values]) => before.flatMap((one) => values.map((value) => ({ ...one, [label]: value }))),
    [{}],
  );

const createCounters = (declared: CounterDeclarations, registry: Registry): ReadonlyMap<string, Counter> =>
  new Map(
    Object.entries(declared).map(([name, { help, labels }]) => {
      const labelNames = Object.keys(labels);
      const counter = new Counter({ name: `gatehouse_${name}`, help, labelNames, registers: [registry] });
      // A rate is only right where the series was there before the first event.
      for (const combination of combinations(labels)) counter.inc(combination, 0);
      return [name, counter];
    }),
  );

/**
 * How long requests take. Each method, route and status that was seen has its lines: written in one they would hold others up, so
 * routes are spread over parts, and others are let in between two of them.
 */
class Durations {
  readonly #parts = Array.from({ length: PARTS }, () => {
    const registry = new Registry();
    const histogram = new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Time from the first byte of a request to the end of its answer.',
      labelNames: ['method', 'route', 'status'],
      buckets: DURATION_BUCKETS,
      registers: [registry],
    });
    return { registry, histogram };
  });
  readonly #partOf = new Map<string, number>();

  observe(method: string, route: string, status: number, seconds: number): void {
    this.#histogramOf(route).observe({ method, route, status: String(status) }, seconds);
  }

  /** Lines of one metric stand together, below one head. */
  async expose(): Promise<string> {
    let text = '';
    for (const { registry } of this.#parts) {
      const part = await registry.metrics();
      text += text === '' ? part : part.replace(HEAD, '');
      await others();
    }
    return text;
  }

  /** Routes in turn, as they are first seen: they are few, as they come from declarations. */
  #histogramOf(route: string): Histogram<'method' | 'route' | 'status'> {
    const known = this.#partOf.get(route) ?? this.#partOf.size % PARTS;
    this.#partOf.set(route, known);
    return this.#parts[known]!.histogram;
  }
}

export const createPrometheusMetrics = <Counted extends CounterDeclarations>(declared: Counted): Metrics<Counted> => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const durations = new Durations();
  const counters = createCounters(declared, registry);
  return {
    count: (name, labels, by = 1) => counters.get(name)!.inc({ ...labels }, by),
    observeRequest: (...request) => durations.observe(...request),
    gauge: (name, read) => {
      const { help, labels } = GAUGES[name];
      new Gauge({
        name: `gatehouse_${name}`,
        help,
        labelNames: [...labels],
        registers: [registry],
        async collect() {
          const readings = await read();
          // Labels change while it serves: what was said before is not said beside it.
          this.reset();
          if (readings.length === 0) this.remove({});
          for (const [of, value] of readings) this.set({ ...of }, value);
        },
      });
    },
    expose: async () => ({
      contentType: registry.contentType,
      text: (await registry.metrics()) + (await durations.expose()),
    }),
  };
};

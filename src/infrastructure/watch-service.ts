import type { MovesInSight } from '../application/storage/move-in-sight.js';
import { REPLICA_STATES, type Database } from '../adapters/outbound/persistence/knex/database.js';
import { countWaiting, type WaitingCounts } from '../adapters/outbound/persistence/knex/shared/count-waiting.js';
import { SOURCE_STATES } from '../domain/storage/storage-control.js';
import type { Metrics } from '../adapters/outbound/system/prometheus-metrics.js';

/** Several collectors, or an impatient one, share a count. */
const FRESH_MS = 5_000;
/** A database that does not answer must not hold the other figures back. */
const PATIENCE_MS = 1_000;

/** The last counts while they are fresh; `undefined` where the database doesn't tell in time. */
const createWaitingCounts = (database: Database): (() => Promise<WaitingCounts | undefined>) => {
  let last: { readonly at: number; readonly counts: WaitingCounts } | undefined;
  let running: Promise<void> | undefined;
  const refresh = async (): Promise<void> => {
    try {
      last = { at: performance.now(), counts: await countWaiting(database.reader) };
    } catch {
      last = undefined;
    } finally {
      running = undefined;
    }
  };
  return async () => {
    if (last !== undefined && performance.now() - last.at < FRESH_MS) return last.counts;
    running ??= refresh();
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<'late'>((resolve) => {
      timer = setTimeout(resolve, PATIENCE_MS, 'late');
    });
    const end = await Promise.race([running, patience]);
    clearTimeout(timer);
    return end === 'late' ? undefined : last?.counts;
  };
};

/** Nothing where there is none. */
const watchReplica = (metrics: Pick<Metrics<never>, 'gauge'>, database: Database): void =>
  metrics.gauge('replica_state', () => {
    const now = database.replica?.();
    return now === undefined ? [] : REPLICA_STATES.map((state) => [{ state }, state === now ? 1 : 0]);
  });

/** Nothing while nothing is moved. */
const watchMoves = (metrics: Pick<Metrics<never>, 'gauge'>, moves: MovesInSight): void => {
  metrics.gauge('storage_move_state', () => {
    const { move } = moves;
    return SOURCE_STATES.map((state) => [{ state }, move?.state === state ? 1 : 0]);
  });
  metrics.gauge('storage_move_rows_copied', () => (moves.move === undefined ? [] : [[{}, moves.move.rows.copied]]));
  metrics.gauge('storage_move_rows_known', () => (moves.move === undefined ? [] : [[{}, moves.move.rows.known]]));
};

export interface Watched {
  readonly database: Database;
  readonly moves: MovesInSight;
  readonly version: string;
}

/** Registers what operators watch beside the counters. */
export const watchService = (metrics: Pick<Metrics<never>, 'gauge'>, { database, moves, version }: Watched): void => {
  watchMoves(metrics, moves);
  watchReplica(metrics, database);
  const waiting = createWaitingCounts(database);
  const watch = (name: 'mails_waiting' | 'jobs_waiting' | 'alerts_open', of: keyof WaitingCounts): void =>
    metrics.gauge(name, async () => {
      const counts = await waiting();
      return counts === undefined ? [] : [[{}, counts[of]]];
    });
  watch('mails_waiting', 'mails');
  watch('jobs_waiting', 'jobs');
  watch('alerts_open', 'openAlerts');
  metrics.gauge('database_connections', () => {
    const { used, idle, waiting: waitingFor } = database.connections();
    return [
      [{ state: 'used' }, used],
      [{ state: 'idle' }, idle],
      [{ state: 'waiting' }, waitingFor],
    ];
  });
  metrics.gauge('database_connections_max', () => [[{}, database.connections().max]]);
  metrics.gauge('build_info', () => {
    // The storage may move while it serves.
    const kind = database.inThisThread === undefined ? 'postgres' : 'sqlite';
    return [[{ version, database: kind, node: process.versions.node }, 1]];
  });
};

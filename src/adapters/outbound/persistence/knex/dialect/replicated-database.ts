import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { Unavailable } from '../../../../../domain/shared/domain-error.js';
import type { Database, ReplicaState } from '../database.js';
import { Session } from '../session.js';
import { isRetryable } from './postgres-dialect.js';

/** A server that follows another one, for reading alone. */
export interface Replica {
  readonly reader: Session;
  readonly close: () => Promise<void>;
}

/** So long a list may wait for what was committed before it was asked for. */
const PATIENCE_MS = 30;
const LOOK_AGAIN_MS = 2;
/** A replica that was away, or behind, is not waited for again so soon. */
const LEFT_ALONE_MS = 1_000;

/**
 * How far the server has come, and which one it is. What was acknowledged is on its disk, unless it need not be: then what is in its
 * memory counts.
 */
const HOW_FAR = `select case current_setting('synchronous_commit') when 'off' then pg_current_wal_insert_lsn()
  else pg_current_wal_flush_lsn() end::text as lsn, (select system_identifier::text from pg_control_system()) as cluster`;
const IS_THERE = `select pg_is_in_recovery() and pg_last_wal_replay_lsn() >= cast(? as pg_lsn) as there,
  (select system_identifier::text from pg_control_system()) as cluster`;

/** What reads a list: from the replica, until it writes something itself. */
interface Reading {
  session: Session | undefined;
}
const readings = new AsyncLocalStorage<Reading>();

/** Whether a replica has everything that was acknowledged before somebody asked. */
class Horizon {
  #waiting: Promise<ReplicaState> | undefined;
  #running: Promise<unknown> = Promise.resolve();
  #leftAloneUntil = 0;
  state: ReplicaState = 'away';

  constructor(
    private readonly primary: Session,
    private readonly replica: Session,
  ) {}

  async isReached(): Promise<boolean> {
    if (performance.now() < this.#leftAloneUntil) return false;
    const late = new AbortController();
    const patience = sleep(PATIENCE_MS, 'behind' as const, { signal: late.signal }).catch(() => 'behind' as const);
    const found = await Promise.race([this.#nextLook(), patience]);
    late.abort();
    if (found === 'current') this.state = found;
    else this.leaveAlone(found);
    return found === 'current';
  }

  leaveAlone(state: ReplicaState): void {
    this.state = state;
    this.#leftAloneUntil = performance.now() + LEFT_ALONE_MS;
  }

  /** One look at a time, for all who came before it began: whoever comes later may have been told of more meanwhile. */
  #nextLook(): Promise<ReplicaState> {
    if (this.#waiting !== undefined) return this.#waiting;
    const look = this.#running.then(() => {
      this.#waiting = undefined;
      return this.#look();
    });
    this.#waiting = look;
    this.#running = look;
    return look;
  }

  async #look(): Promise<ReplicaState> {
    const giveUpAt = performance.now() + PATIENCE_MS;
    try {
      const [here] = await this.primary.run<{ lsn: string; cluster: string }>(HOW_FAR, []);
      for (;;) {
        const [there] = await this.replica.run<{ there: boolean; cluster: string }>(IS_THERE, [here?.lsn]);
        if (there === undefined || there.cluster !== here?.cluster) return 'away';
        if (there.there) return 'current';
        if (performance.now() > giveUpAt) return 'behind';
        await sleep(LOOK_AGAIN_MS);
      }
    } catch {
      return 'away';
    }
  }
}

/** What reads may be done again: nothing was written. */
const isOfReplica = (error: unknown): boolean => error instanceof Unavailable || isRetryable(error);

/**
 * A database with a replica, from which lists are read while it has everything that was acknowledged before they were asked for: whoever
 * asks finds what they wrote, at whichever node. Else they are read from the database itself.
 */
export const withReplica = (primary: Database, replica: Replica): Database => {
  const horizon = new Horizon(primary.reader, replica.reader);
  return {
    ...primary,
    reader: Session.following(() => readings.getStore()?.session ?? primary.reader),
    primary: primary.reader,
    transact: (work, manner) => {
      const reading = readings.getStore();
      if (reading !== undefined) reading.session = undefined;
      return primary.transact(work, manner);
    },
    replica: () => horizon.state,
    readList: async (read) => {
      if (!(await horizon.isReached())) return read();
      try {
        return await readings.run({ session: replica.reader }, read);
      } catch (error) {
        if (!isOfReplica(error)) throw error;
        horizon.leaveAlone('away');
        return read();
      }
    },
    close: async () => {
      await replica.close();
      await primary.close();
    },
  };
};

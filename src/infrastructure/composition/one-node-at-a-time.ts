import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, LockName } from '../../adapters/outbound/persistence/knex/database.js';

/** A node that was killed is followed within so long. */
const LOOK_AGAIN_MS = 3_000;

/**
 * A work by the clock that one node at a time does. Another one that finds it being done does it next: there is nothing left to do then,
 * unless the first one died in the middle.
 */
export const oneNodeAtATime =
  <Stopping extends AbortSignal | undefined>(
    database: Pick<Database, 'tryWithLock'>,
    name: LockName,
    work: (stopping: Stopping) => Promise<unknown>,
  ) =>
  async (stopping: Stopping): Promise<void> => {
    const attempt = () =>
      database.tryWithLock(name, async () => {
        await work(stopping);
        return true;
      });
    const pause = { ref: false, ...(stopping && { signal: stopping }) };
    while (stopping?.aborted !== true && (await attempt()) === undefined)
      await sleep(LOOK_AGAIN_MS, undefined, pause).catch(() => undefined);
  };

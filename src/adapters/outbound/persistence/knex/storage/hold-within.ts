import { setTimeout as sleep } from 'node:timers/promises';
import { OTHER_MOVER } from './control-row.js';

/** What a mover that was killed left running on a server mostly ends within so long. */
const PATIENCE_MS = 10_000;
const ASK_AGAIN_MS = 100;

/** Takes a lock that somebody else may have for a while. @throws Error when they have it for longer. */
export const holdWithin = async (
  take: () => boolean | Promise<boolean>,
  patienceMs: number = PATIENCE_MS,
): Promise<void> => {
  const giveUpAt = performance.now() + patienceMs;
  while (!(await take())) {
    if (performance.now() > giveUpAt) throw new Error(OTHER_MOVER);
    await sleep(ASK_AGAIN_MS);
  }
};

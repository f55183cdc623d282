import { once } from 'node:events';
import type { Writable } from 'node:stream';

/** Resolves when a stream takes more, or never will. */
export const drained = async (stream: Writable): Promise<void> => {
  if (stream.destroyed || stream.writableEnded) return;
  const waiting = new AbortController();
  const { signal } = waiting;
  try {
    await Promise.race([once(stream, 'drain', { signal }), once(stream, 'close', { signal })]);
  } finally {
    // One of the two has come: nobody listens for the other any more.
    waiting.abort();
  }
};

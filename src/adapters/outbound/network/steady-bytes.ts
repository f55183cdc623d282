export interface Pace {
  /** How long may be waited, in all, for as many bytes as are the least. */
  readonly waitMs: number;
  readonly leastBytes: number;
}

const TICKS = 20;

/**
 * The same bytes, as long as whoever sends them keeps up the pace. Only waiting counts, not what is done with the bytes; what ends is
 * never too slow.
 * @param tooSlow breaks off what is read, so that reading it fails.
 */
export async function* steadyBytes(
  bytes: AsyncIterable<Uint8Array>,
  { waitMs, leastBytes }: Pace,
  tooSlow: () => void,
): AsyncGenerator<Uint8Array> {
  let waiting = true;
  let waited = 0;
  let came = 0;
  const clock = setInterval(() => {
    if (waiting) waited += 1;
    if (waited > TICKS) tooSlow();
  }, waitMs / TICKS);
  try {
    for await (const chunk of bytes) {
      waiting = false;
      came += chunk.length;
      if (came >= leastBytes) waited = came = 0;
      yield chunk;
      waiting = true;
    }
  } finally {
    clearInterval(clock);
  }
}

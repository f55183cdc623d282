/** Who sends less than this in all that time holds a place that others wait for. */
const LEAST_BYTES = 16_384;
const MS = 1_000;

/**
 * Bytes as they arrive. What is waited for is the sender alone: whoever reads them takes as long as they like.
 * @param tooSlow what is thrown when the sender stands still.
 */
export async function* keepingPace(
  bytesOf: AsyncIterable<Uint8Array>,
  stallSeconds: number,
  tooSlow: () => Error,
  leastBytes = LEAST_BYTES,
): AsyncGenerator<Uint8Array> {
  const source = bytesOf[Symbol.asyncIterator]();
  let [left, bytes] = [stallSeconds * MS, 0];
  try {
    for (;;) {
      const startedAt = performance.now();
      const next = await withinMs(source.next(), left, tooSlow);
      if (next.done === true) return;
      left -= performance.now() - startedAt;
      bytes += next.value.length;
      if (bytes >= leastBytes) [left, bytes] = [stallSeconds * MS, 0];
      yield next.value;
    }
  } finally {
    // What is still waited for may never come: nobody waits for its end.
    source.return?.().catch(() => undefined);
  }
}

const withinMs = <Result>(work: Promise<Result>, ms: number, error: () => Error): Promise<Result> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(error()), Math.max(ms, 0)).unref();
    const done = (): void => clearTimeout(timer);
    work.finally(done).then(resolve, reject);
  });

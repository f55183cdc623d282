import { setTimeout as sleep } from 'node:timers/promises';

const TRIES = 3;

/** Where something can be tried again that the server could not do just now. */
const mayWorkLater = (status: number): boolean => status >= 500 || status === 408 || status === 429;

/**
 * What could not be done just now is tried again.
 * @param send is told how often it was tried before.
 * @throws Error where the server isn't reached.
 */
export const tryAgain = async <Answer extends { readonly status: number }>(
  send: (before: number) => Promise<Answer>,
  retryMs: number,
  signal: AbortSignal,
): Promise<Answer> => {
  for (let before = 0; ; before += 1) {
    const last = before + 1 >= TRIES;
    const answer = await send(before).catch((error: unknown) => {
      if (last || signal.aborted) throw error;
      return undefined;
    });
    if (answer !== undefined && (last || !mayWorkLater(answer.status))) return answer;
    await sleep(retryMs * (before + 1), undefined, { signal });
  }
};

/** A statement was not run, because one before it in its transaction had failed. */
export class NotReached extends Error {}

/**
 * Waits until all have ended, also where one has failed: nothing of them is on its way any more when it throws. What was asked of a
 * transaction side by side goes out without waiting for each other's answers, in this order.
 *
 * @throws what failed first. The failures that follow may be its consequences, and are heard of in any order.
 */
export const together = async <const Promises extends readonly Promise<unknown>[]>(
  promises: Promises,
): Promise<{ -readonly [Place in keyof Promises]: Awaited<Promises[Place]> }> => {
  let failure: { readonly error: unknown } | undefined;
  const noted = promises.map((promise) =>
    promise.catch((error: unknown) => {
      if (failure === undefined || failure.error instanceof NotReached) failure = { error };
    }),
  );
  const results = await Promise.all(noted);
  if (failure !== undefined) throw failure.error;
  return results as { -readonly [Place in keyof Promises]: Awaited<Promises[Place]> };
};

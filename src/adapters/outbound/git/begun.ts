import type { ByteStream } from '../../../application/repositories/ports/object-stores.js';

/** A stream whose first chunk is there: what fails before is thrown, and can still be told as a refusal. */
export const begun = async (answer: AsyncGenerator<Uint8Array>): Promise<ByteStream> => {
  const first = await answer.next();
  return resumed(first.done === true ? [] : [first.value], answer);
};

async function* resumed(read: readonly Uint8Array[], rest: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* read;
    yield* rest;
  } finally {
    await rest.return(undefined);
  }
}

import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { notPublicHalf } from '../../../domain/storage/backup-key.js';

/** What every file begins with that was encrypted to a key (https://age-encryption.org/v1). */
const SEALED = Buffer.from('age-encryption.org/v1\n');

export const isSealed = async (file: string): Promise<boolean> => {
  const handle = await open(file);
  try {
    const { buffer } = await handle.read(Buffer.alloc(SEALED.length), 0, SEALED.length, 0);
    return buffer.equals(SEALED);
  } finally {
    await handle.close();
  }
};

type Through = (stream: ReadableStream<Uint8Array>) => Promise<ReadableStream<Uint8Array>>;

const through = async (from: Readable, change: Through): Promise<Readable> =>
  Readable.fromWeb(await change(Readable.toWeb(from) as ReadableStream<Uint8Array>));

// The package is loaded when it is needed: most archives are not encrypted.

/** @param recipient the public half of a key, `age1…`. @throws Error with a sentence when it is none. */
export const sealTo = async (recipient: string, from: Readable): Promise<Readable> => {
  const { Encrypter } = await import('age-encryption');
  const encrypter = new Encrypter();
  try {
    encrypter.addRecipient(recipient);
  } catch (error) {
    throw new Error(`The key to encrypt to ${notPublicHalf(recipient)}`, { cause: error });
  }
  return through(from, (stream) => encrypter.encrypt(stream as never) as never);
};

/** @param identities the secret halves of keys, `AGE-SECRET-KEY-1…`. @throws Error with a sentence when none of them opens it. */
export const openSealed = async (identities: readonly string[], from: Readable): Promise<Readable> => {
  const { Decrypter } = await import('age-encryption');
  const decrypter = new Decrypter();
  try {
    for (const identity of identities) decrypter.addIdentity(identity);
    return await through(from, (stream) => decrypter.decrypt(stream as never) as never);
  } catch (error) {
    from.destroy();
    throw new Error('The archive is encrypted, and the key that is given does not open it.', { cause: error });
  }
};

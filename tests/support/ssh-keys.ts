import { generateKeyPairSync } from 'node:crypto';
import ssh2 from 'ssh2';

/** Bytes of a name, of a key, and of their two lengths. */
const ED25519_BLOB = 4 + 'ssh-ed25519'.length + 4 + 32;

type Kind = 'ed25519' | 'ecdsa' | 'rsa';

export interface TestKey {
  /** As in a file that ends in `.pub`, with the comment `ada@laptop`. */
  readonly line: string;
  /** The same without the comment. */
  readonly bare: string;
  /** For the client, in the format of OpenSSH. */
  readonly secret: string;
}

/** A pair of keys as `ssh-keygen` makes them, on machines that lack it, too. */
export const makeKey = (kind: Kind = 'ed25519', bits = kind === 'ecdsa' ? 256 : 2048): TestKey => {
  const options = { comment: 'ada@laptop', ...(kind === 'ed25519' ? {} : { bits }) };
  let made = ssh2.utils.generateKeyPairSync(kind as 'rsa', options as { bits: number });
  // The library leaves out a zero at the beginning of a key.
  while (kind === 'ed25519' && Buffer.from(made.public.split(' ')[1] ?? '', 'base64').length !== ED25519_BLOB)
    made = ssh2.utils.generateKeyPairSync(kind as 'rsa', options as { bits: number });
  return { line: made.public, bare: made.public.split(' ', 2).join(' '), secret: made.private };
};

const field = (bytes: Buffer | string): Buffer => {
  const content = Buffer.from(bytes as string);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  return Buffer.concat([length, content]);
};

/** A line for a key of any fields, however wrong. */
export const lineOf = (type: string, ...fields: readonly (Buffer | string)[]): string =>
  `${type} ${Buffer.concat([field(type), ...fields.map(field)]).toString('base64')}`;

/** The public numbers of an RSA key, which `makeKey` makes no smaller than it should be. */
export const rsaLine = (bits: number): string => {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: bits });
  const { n = '', e = '' } = publicKey.export({ format: 'jwk' });
  const positive = (text: string) => Buffer.concat([Buffer.of(0), Buffer.from(text, 'base64url')]);
  return lineOf('ssh-rsa', Buffer.from(e, 'base64url'), positive(n));
};

import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { SecretBox } from '../../../application/shared/ports/secrets.js';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The installation's secret keys, as plain data that threads can be handed. */
export interface SecretKeys {
  /** Seals and opens. */
  readonly current: Uint8Array;
  /** Opens what it sealed before, while a rotation runs. */
  readonly previous: Uint8Array | undefined;
}

/** AES-256-GCM under a key derived from the installation's secret for one `purpose`: boxes of different purposes don't open each other's. */
export const createAesSecretBox = (secretKey: Uint8Array, purpose: string): SecretBox => {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', `gatehouse:${purpose}`, 32));
  return {
    seal: (plain) => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce);
      const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
    },
    open: (text) => {
      const bytes = Buffer.from(text, 'base64url');
      // What is decoded overlooks odd letters: one box would open by many texts.
      if (bytes.toString('base64url') !== text) throw new Error('The text of a sealed box is not as it was sealed.');
      const nonce = bytes.subarray(0, NONCE_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString(
        'utf8',
      );
    },
  };
};

/** Seals with the current key, and opens what either sealed. */
export const createRotatingSecretBox = ({ current, previous }: SecretKeys, purpose: string): SecretBox => {
  const box = createAesSecretBox(current, purpose);
  if (previous === undefined) return box;
  const boxBefore = createAesSecretBox(previous, purpose);
  return {
    seal: (plain) => box.seal(plain),
    open: (sealed) => {
      try {
        return box.open(sealed);
      } catch {
        return boxBefore.open(sealed);
      }
    },
  };
};

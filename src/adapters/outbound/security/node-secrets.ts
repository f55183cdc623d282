import { hash, randomFillSync } from 'node:crypto';
import type { SecretDigester, SecretSource } from '../../../application/shared/ports/secrets.js';

const TOKEN_BYTES = 32;

/** Random bytes are asked for by the hundred tokens: to ask for few takes as long, and more than all else that makes a token. */
const bytes = Buffer.alloc(100 * TOKEN_BYTES);
let next = bytes.length;

export const randomSecretSource: SecretSource = {
  token: () => {
    if (next === bytes.length) {
      randomFillSync(bytes);
      next = 0;
    }
    const end = next + TOKEN_BYTES;
    const token = bytes.toString('base64url', next, end);
    // Nothing that has been given out stays here.
    bytes.fill(0, next, end);
    next = end;
    return token;
  },
};

// A plain hash is enough: what it digests has 256 random bits, so there is nothing to guess.
export const sha256Digester: SecretDigester = {
  digest: (secret) => hash('sha256', secret, 'hex'),
  challengeOf: (verifier) => hash('sha256', verifier, 'base64url'),
};

import { createHash, randomBytes } from 'node:crypto';
import type { SecretDigester, SecretSource } from '../../../application/shared/ports/secrets.js';

const TOKEN_BYTES = 32;

export const randomSecretSource: SecretSource = { token: () => randomBytes(TOKEN_BYTES).toString('base64url') };

// A plain hash is enough: what it digests has 256 random bits, so there is nothing to guess.
export const sha256Digester: SecretDigester = {
  digest: (secret) => createHash('sha256').update(secret).digest('hex'),
  challengeOf: (verifier) => createHash('sha256').update(verifier).digest('base64url'),
};

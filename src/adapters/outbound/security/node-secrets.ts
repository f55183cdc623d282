import { hash, randomBytes } from 'node:crypto';
import type { SecretDigester, SecretSource } from '../../../application/shared/ports/secrets.js';

const TOKEN_BYTES = 32;

export const randomSecretSource: SecretSource = { token: () => randomBytes(TOKEN_BYTES).toString('base64url') };

// A plain hash is enough: what it digests has 256 random bits, so there is nothing to guess.
export const sha256Digester: SecretDigester = {
  digest: (secret) => hash('sha256', secret, 'hex'),
  challengeOf: (verifier) => hash('sha256', verifier, 'base64url'),
};

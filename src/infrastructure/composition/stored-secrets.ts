import type { SecretBox } from '../../application/shared/ports/secrets.js';
import { createAesSecretBox } from '../../adapters/outbound/security/aes-secret-box.js';

/** What seals the secrets in the database, in whichever thread. */
export const boxOfStoredSecrets = (secretKey: Buffer): SecretBox => createAesSecretBox(secretKey, 'stored secrets');

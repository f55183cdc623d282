import type { Boxes, KeyBoxes } from '../../application/secret-key/boxes.js';
import type { SecretBox } from '../../application/shared/ports/secrets.js';
import {
  createAesSecretBox,
  createRotatingSecretBox,
  type SecretKeys,
} from '../../adapters/outbound/security/aes-secret-box.js';

/** What seals the secrets in the database, in whichever thread. */
export const boxOfStoredSecrets = (keys: SecretKeys): SecretBox => createRotatingSecretBox(keys, 'stored secrets');

const boxesOfKey = (key: Uint8Array): KeyBoxes => ({
  'stored secrets': createAesSecretBox(key, 'stored secrets'),
  'tracker tokens': createAesSecretBox(key, 'tracker tokens'),
  sentinel: createAesSecretBox(key, 'sentinel'),
});

/** Both keys apart, to tell which of them sealed what. */
export const boxesOf = ({ current, previous }: SecretKeys): Boxes => ({
  current: boxesOfKey(current),
  previous: previous && boxesOfKey(previous),
});

import { createHash } from 'node:crypto';
import type { KeyFingerprints } from '../../../application/keys/ports/key-ports.js';

/** As `ssh-keygen -l` writes them, without what says which they are. */
export const keyFingerprints: KeyFingerprints = {
  of: (blob) => ({
    sha256: createHash('sha256').update(blob).digest('base64').replace(/=+$/, ''),
    md5: (createHash('md5').update(blob).digest('hex').match(/../g) ?? []).join(':'),
  }),
};

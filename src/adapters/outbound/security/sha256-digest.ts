import { createHash } from 'node:crypto';
import type { StartDigest } from '../../../application/storage/ports/stored-rows.js';

export const startSha256: StartDigest = () => {
  const hash = createHash('sha256');
  return { update: (text) => void hash.update(text, 'utf8'), end: () => hash.digest('hex') };
};

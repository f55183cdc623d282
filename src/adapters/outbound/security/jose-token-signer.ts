import { LRUCache } from 'lru-cache';
import type { CryptoKey } from 'jose';
import type { TokenSigner } from '../../../application/oauth/ports/token-signer.js';

const ALGORITHM = 'RS256';
const KEPT_KEYS = 4;

/** Keys are read once: reading one costs more than signing with it. */
export const createJoseTokenSigner = (): TokenSigner => {
  const keys = new LRUCache<string, CryptoKey | Uint8Array>({ max: KEPT_KEYS });
  return {
    sign: async (claims, { kid }, privateJwk) => {
      // Loaded when it is needed: most requests sign nothing.
      const { SignJWT, importJWK } = await import('jose');
      const key = keys.get(kid) ?? (await importJWK(JSON.parse(privateJwk) as Record<string, string>, ALGORITHM));
      keys.set(kid, key);
      return new SignJWT({ ...claims }).setProtectedHeader({ alg: ALGORITHM, kid, typ: 'JWT' }).sign(key);
    },
  };
};

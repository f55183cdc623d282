import type { KeyPairSource } from '../../../application/oauth/ports/key-pair-source.js';

const ALGORITHM = 'RS256';

/** RSA keys of 2048 bits, as JSON Web Keys (RFC 7517, RFC 7638). */
export const joseKeyPairs: KeyPairSource = {
  make: async () => {
    // Loaded when it is needed: most processes never make a key.
    const { calculateJwkThumbprint, exportJWK, generateKeyPair } = await import('jose');
    const { publicKey, privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
    const publicHalf = await exportJWK(publicKey);
    const kid = await calculateJwkThumbprint(publicHalf);
    const names = { kid, use: 'sig', alg: ALGORITHM };
    return { kid, publicJwk: { ...publicHalf, ...names }, privateJwk: { ...(await exportJWK(privateKey)), ...names } };
  },
};

import type { JWK } from 'jose';
import type { TokenVerifier } from '../../../application/oauth/ports/token-verifier.js';

const ALGORITHM = 'RS256';

const readClaims = (payload: Uint8Array): Readonly<Record<string, unknown>> | undefined => {
  const claims: unknown = JSON.parse(new TextDecoder().decode(payload));
  return typeof claims === 'object' && claims !== null ? (claims as Record<string, unknown>) : undefined;
};

export const joseTokenVerifier: TokenVerifier = {
  claimsOf: async (token, publicJwks) => {
    // Loaded when it is needed: most requests verify nothing.
    const { compactVerify, createLocalJWKSet, errors } = await import('jose');
    const keys = createLocalJWKSet({ keys: publicJwks as JWK[] });
    try {
      const { payload } = await compactVerify(token, keys, { algorithms: [ALGORITHM] });
      return readClaims(payload);
    } catch (error) {
      if (error instanceof errors.JOSEError || error instanceof SyntaxError) return undefined;
      throw error;
    }
  },
};

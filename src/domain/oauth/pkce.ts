// RFC 7636 §4.1: 43 to 128 characters of the unreserved set.
const CODE_VERIFIER = /^[A-Za-z0-9\-._~]{43,128}$/;
// RFC 7636 §4.2: base64url of a SHA-256, without padding.
const CODE_CHALLENGE = /^[A-Za-z0-9_-]{43}$/;

/** The one method that is taken: `plain` protects nobody (RFC 9700 §2.1.1). */
export const CODE_CHALLENGE_METHOD = 'S256';

export const isCodeVerifier = (text: string): boolean => CODE_VERIFIER.test(text);
export const isCodeChallenge = (text: string): boolean => CODE_CHALLENGE.test(text);

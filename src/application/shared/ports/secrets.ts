/** Makes secrets that nobody can guess. */
export interface SecretSource {
  /** A URL-safe token of at least 256 random bits. */
  token(): string;
}

/** One-way fingerprints of tokens: what the database keeps instead of the token. */
export interface SecretDigester {
  /** Lower-case hex SHA-256. */
  digest(secret: string): string;
  /** The PKCE challenge of a verifier: base64url SHA-256 (RFC 7636 §4.2). */
  challengeOf(verifier: string): string;
}

/** How secrets are made, and what is kept of them. */
export interface Secrecy {
  readonly secrets: SecretSource;
  readonly digester: SecretDigester;
}

/** Encrypts what must be shown or used again (authenticated encryption under the installation's secret key). */
export interface SecretBox {
  seal(plain: string): string;
  /** @throws Error when the text was not sealed by this key for this purpose. */
  open(sealed: string): string;
}

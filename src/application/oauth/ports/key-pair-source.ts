type Jwk = Readonly<Record<string, unknown>>;

export interface KeyPair {
  /** The thumbprint of the public key (RFC 7638). */
  readonly kid: string;
  readonly publicJwk: Jwk;
  readonly privateJwk: Jwk;
}

/** Makes key pairs for RS256. */
export interface KeyPairSource {
  make(): Promise<KeyPair>;
}

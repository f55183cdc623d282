/** Reads JSON Web Tokens that were signed by RS256 (RFC 7519). */
export interface TokenVerifier {
  /**
   * What a token says, whether or not it has expired; undefined for one that none of these keys signed.
   * @param publicJwks the public halves.
   */
  claimsOf(
    token: string,
    publicJwks: readonly Readonly<Record<string, unknown>>[],
  ): Promise<Readonly<Record<string, unknown>> | undefined>;
}

/** A key that signs, or has signed, tokens (RFC 7517). */
export interface SigningKey {
  readonly kid: string;
  readonly publicJwk: Readonly<Record<string, unknown>>;
  /** Sealed under the installation's secret key. */
  readonly sealedPrivateJwk: string;
  readonly createdAt: Date;
  /** When a newer one took over; it verifies until the last token that it signed has expired. */
  readonly retiredAt: Date | null;
}

/** The longest that a signed token is good for, in seconds: how long a retired key still verifies. */
export const SIGNED_TOKEN_LIFETIME_SECONDS = 24 * 3_600;

export const stillVerifies = ({ retiredAt }: SigningKey, now: Date): boolean =>
  retiredAt === null || now.getTime() < retiredAt.getTime() + SIGNED_TOKEN_LIFETIME_SECONDS * 1_000;

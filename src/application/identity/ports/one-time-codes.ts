/** Codes of an authenticator application (RFC 6238: six digits, 30 seconds, SHA-1). */
export interface OneTimeCodes {
  newSecret(): string;
  /** The time step that the code belongs to, one step of clock drift allowed; undefined when it is wrong. */
  matchingStep(secret: string, code: string, now: Date): Promise<number | undefined>;
  /** An `otpauth:` address for the application to read. */
  address(secret: string, account: string): string;
}

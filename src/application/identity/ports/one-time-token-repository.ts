import type { UserId } from '../../../domain/shared/identifiers.js';

export type OneTimePurpose = 'confirm_email' | 'reset_password';

export interface OneTimeToken {
  readonly purpose: OneTimePurpose;
  readonly userId: UserId;
  /** The address that is to be confirmed. */
  readonly emailId: number | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export interface OneTimeTokenRepository {
  add(token: OneTimeToken & { readonly digest: string }): Promise<void>;
  /** Leaves it where it is. Expired ones are not found. */
  find(purpose: OneTimePurpose, digest: string, now: Date): Promise<OneTimeToken | undefined>;
  /** Takes the token out: of many who present it at once, one gets it. Expired ones are not found. */
  consume(purpose: OneTimePurpose, digest: string, now: Date): Promise<OneTimeToken | undefined>;
  /** Whether one that nobody has used was made after an instant. */
  hasSince(userId: UserId, purpose: OneTimePurpose, since: Date): Promise<boolean>;
  /** Those of one purpose, as when a newer one replaces them. */
  removeAllOf(userId: UserId, purpose: OneTimePurpose): Promise<void>;
}

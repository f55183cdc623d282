import type { UserId } from '../shared/identifiers.js';

/** A key that opens something over SSH. */
export interface SshKey {
  readonly id: number;
  readonly title: string;
  /** Its type and its base64, without a comment. */
  readonly publicKey: string;
  /** Without the prefix `SHA256:`. */
  readonly sha256: string;
  /** Pairs of hex digits with colons between them. */
  readonly md5: string;
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
  readonly createdAt: Date;
}

/** One that stands for a person. */
export interface UserKey extends SshKey {
  readonly userId: UserId;
}

/** One that opens projects to a machine, and stands for nobody. */
export interface DeployKey extends SshKey {
  /** Null once they are gone. */
  readonly creatorId: UserId | null;
  /** Every project may enable it. */
  readonly isPublic: boolean;
}

export const isExpired = ({ expiresAt }: { readonly expiresAt: Date | null }, now: Date): boolean =>
  expiresAt !== null && expiresAt <= now;

import type { UserId } from '../shared/identifiers.js';

/** An application that may ask people for access. Its secret is kept as a digest only. */
export interface Application {
  readonly id: number;
  /** The `client_id`. */
  readonly uid: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly scopes: readonly string[];
  /** Whether it can keep a secret. */
  readonly confidential: boolean;
  /** Absent for one that an administrator registered for all. */
  readonly ownerId: UserId | null;
  readonly createdAt: Date;
}

/** What an application may be registered for. */
export const APPLICATION_SCOPES = [
  'api',
  'read_api',
  'read_user',
  'read_repository',
  'write_repository',
  'sudo',
  'openid',
  'profile',
  'email',
] as const;

export const MAX_APPLICATION_NAME = 255;

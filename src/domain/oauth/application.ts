import type { UserId } from '../shared/identifiers.js';
import { SCOPES, type Scope } from '../shared/scope.js';

/** An application that may ask people for access. Its secret is kept as a digest only. */
export interface Application {
  readonly id: number;
  /** The `client_id`. */
  readonly uid: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly scopes: readonly Scope[];
  /** Whether it can keep a secret. */
  readonly confidential: boolean;
  /** Absent for one that an administrator registered for all. */
  readonly ownerId: UserId | null;
  /** Whether it came by itself, so that nobody here has looked at it. */
  readonly selfRegistered: boolean;
  readonly createdAt: Date;
}

/** What an application may be registered for: everything there is. */
export const APPLICATION_SCOPES: readonly Scope[] = SCOPES;

export const MAX_APPLICATION_NAME = 255;

// Marks that turn the direction of text would let a name pose as another beside it.
const DECEIVING = /[\p{Cc}\u200E\u200F\u202A-\u202E\u2066-\u2069]/u;

// Joiners, fillers and the like are drawn as nothing.
const SEEN = /(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{N}\p{P}\p{S}]/u;

/** Whether people see a name at all where they are asked about its application. */
export const isSeenName = (name: string): boolean => SEEN.test(name);

export const isHonestName = (name: string): boolean => !DECEIVING.test(name);

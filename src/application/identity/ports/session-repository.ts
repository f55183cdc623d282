import type { UserId } from '../../../domain/shared/identifiers.js';
import type { UserProfile } from './identity-readers.js';

/** `second_factor` has proved the password only. */
export type SessionStage = 'second_factor' | 'signed_in';

export interface Session {
  readonly id: number;
  readonly userId: UserId;
  readonly stage: SessionStage;
  /** Where to go after signing in; a local path. */
  readonly returnTo: string | null;
  readonly createdAt: Date;
  /** When the password, and the second factor where it is on, was last proved in it. */
  readonly provedAt: Date;
  readonly expiresAt: Date;
}

/** A session beside whose it is. */
export interface OwnedSession {
  readonly session: Session;
  readonly owner: UserProfile;
}

/** A session as its owner sees it in a list. */
export interface SeenSession extends Pick<Session, 'id' | 'createdAt'> {
  /** To the hour. */
  readonly lastSeenAt: Date;
  /** Where it was used last; unknown of those that are older than this is kept. */
  readonly clientAddress: string | null;
  readonly userAgent: string | null;
}

export type NewSession = Omit<Session, 'id'> & { readonly digest: string };

export interface SessionRepository {
  add(session: NewSession): Promise<Session>;
  /** False when the session has ended. */
  prove(id: number, at: Date): Promise<boolean>;
  /** Makes the sessions of a user, but the one that is spared, ask again before the next sensitive act. */
  forgetProofsOf(userId: UserId, spared?: number): Promise<void>;
  /** Locks the session until the transaction ends; false when it has ended. */
  hold(id: number): Promise<boolean>;
  extend(id: number, expiresAt: Date, now: Date): Promise<void>;
  /** False when the session has ended. */
  remove(id: number): Promise<boolean>;
  /** Ends a session that its owner doesn't want any more. False when they have none such. */
  revoke(userId: UserId, id: number): Promise<boolean>;
  /** Ends all sessions of a user but one, because they want so. False when there are no others. */
  revokeOthers(userId: UserId, spared: number): Promise<boolean>;
  /** Ends the sessions of a user, but the one that is spared. */
  removeAllOf(userId: UserId, spared?: number): Promise<void>;
  /** Ends the sessions of a user that have proved the password and wait for the second factor. */
  removeUnfinishedOf(userId: UserId): Promise<void>;
}

export interface SessionReader {
  /** The session of this digest unless it has expired, and whose it is. */
  findByDigest(digest: string, now: Date): Promise<OwnedSession | undefined>;
  /** Those in which a user is signed in, the last used first. */
  listOf(userId: UserId, now: Date, limit: number): Promise<readonly SeenSession[]>;
}

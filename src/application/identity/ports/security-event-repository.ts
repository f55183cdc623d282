import type { ActMeans, SensitiveAct } from '../../../domain/identity/sensitive-act.js';
import type { UserId } from '../../../domain/shared/identifiers.js';
import type { Credential } from '../../shared/actor.js';

/** By what, and from where, something was done to an account. */
export interface ActSource {
  readonly means: ActMeans;
  /** Of the token, the application or the administrator. */
  readonly name: string | null;
  readonly clientAddress: string | null;
}

/** A sensitive act, as it is recorded. */
export interface SecurityEvent {
  readonly act: SensitiveAct;
  /** What it was about, such as an address or the name of a token. */
  readonly subject: string | null;
  readonly source: ActSource;
  readonly at: Date;
}

export interface SecurityEventRepository {
  add(userId: UserId, event: SecurityEvent, expiresAt: Date): Promise<void>;
  /** When a user did one thing since an instant, the newest first. */
  instantsOf(userId: UserId, act: SensitiveAct, since: Date): Promise<readonly Date[]>;
  /** The name that people gave a token or an application; null where it has none. */
  nameOf(credential: Exclude<Credential, { kind: 'session' }>): Promise<string | null>;
}

export interface SecurityEventReader {
  /** The newest first. */
  recentOf(userId: UserId, limit: number): Promise<readonly SecurityEvent[]>;
}

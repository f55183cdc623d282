import type { Credential } from '../../shared/actor.js';

/** Tokens as somebody acts by them, of whatever kind. */
export interface CredentialRepository {
  /**
   * Locks a token until the transaction ends, so that what revokes it waits, or has done so already; of an application that is the
   * consent it hangs on. False when it was revoked or has expired.
   */
  hold(credential: Exclude<Credential, { kind: 'session' }>, now: Date): Promise<boolean>;
}

import type { Credential } from '../../shared/actor.js';
import type { UserProfile } from './identity-readers.js';

/** The digest of a token; `personal` where it was sent in the way of personal access tokens alone. */
export interface TokenDigest {
  readonly digest: string;
  readonly kind: 'personal' | 'bearer';
}

/** A token that one context knows. Expired and revoked ones too: the caller is told which it is. */
export interface ResolvedToken {
  /** Found with the token, so that whoever asks who they are asks once. */
  readonly owner: UserProfile;
  readonly credential: Credential;
  readonly state: 'active' | 'expired' | 'revoked';
  /** Notes the use, once the token is accepted. */
  readonly noteUse: () => void;
}

/** Knows the tokens that one context hands out. Each such context contributes one. */
export interface TokenResolver {
  resolve(token: TokenDigest, now: Date): Promise<ResolvedToken | undefined>;
}

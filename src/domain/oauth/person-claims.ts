/** A person as far as applications are told of them. */
export interface ClaimedPerson {
  readonly username: string;
  readonly name: string;
  /** The primary address. */
  readonly email: string | null;
  readonly confirmedAt: Date | null;
}

/**
 * What an application hears of a person with `openid`, in ID tokens and at userinfo alike (OpenID Connect Core §5.1); the address only with
 * the scope `email`.
 */
export const personClaims = ({ username, name, email, confirmedAt }: ClaimedPerson, scopes: readonly string[]) => ({
  name,
  nickname: username,
  preferred_username: username,
  ...(scopes.includes('email') && email !== null ? { email, email_verified: confirmedAt !== null } : {}),
});

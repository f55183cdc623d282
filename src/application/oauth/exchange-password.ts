import type { Application } from '../../domain/oauth/application.js';
import type { User } from '../../domain/identity/user.js';
import type { ClaimedPerson } from '../../domain/oauth/person-claims.js';
import { refusal } from '../../domain/oauth/oauth-error.js';
import { isAmong, readScopes, refusedScopes } from '../../domain/oauth/requested-scopes.js';
import { SCOPES, type Scope } from '../../domain/shared/scope.js';
import { stillLetsIn } from '../identity/operations/matched-password.js';
import type { OfferedPassword } from '../identity/ports/password-hasher.js';
import type { EmailRepository, UserRepository } from '../identity/ports/user-repository.js';
import type { Clock } from '../shared/ports/clock.js';
import type { IdentityCounters } from '../identity/ports/identity-counters.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import { refused, type TokenMint, type TokenResult } from './issued-token.js';
import type { OAuthRepositories } from './ports/oauth-repositories.js';
import type { ResourceOwnerPassword } from './ports/resource-owner.js';

export interface ExchangePasswordCommand {
  /** Absent where the installation allows the grant without a client. */
  readonly application: Application | undefined;
  /** A user name or an address. */
  readonly username: string;
  readonly password: OfferedPassword;
  readonly scope: string | undefined;
}

const DEFAULT_SCOPES: readonly Scope[] = ['api'];

const TWO_FACTOR_HINT =
  'This account has two-factor authentication, so its password alone is not enough. Use a personal access token instead.';

/** What an ID token says of them. */
const claimed = async ({ id, username, name }: User, emails: EmailRepository): Promise<ClaimedPerson> => {
  const primary = (await emails.ofUser(id)).find((each) => each.primary);
  return { username, name, email: primary?.address ?? null, confirmedAt: primary?.confirmedAt ?? null };
};

/** Who keeps no secret may be anybody, and what came by itself was told that it gets codes and nothing else (RFC 7591 §3.2.1). */
const mayAskPasswords = ({ confidential, selfRegistered }: Application): boolean => confidential && !selfRegistered;

/** `grant_type=password` (RFC 6749 §4.3): for first-party clients alone, and without a refresh token. */
export class ExchangePassword {
  constructor(
    private readonly unitOfWork: UnitOfWork<
      OAuthRepositories & { readonly users: UserRepository; readonly emails: EmailRepository }
    >,
    private readonly resourceOwner: ResourceOwnerPassword,
    private readonly mint: TokenMint,
    private readonly clock: Clock,
    private readonly counters: IdentityCounters,
  ) {}

  /** @throws Overloaded when too many passwords are being compared already. */
  async execute({ application, username, password, scope }: ExchangePasswordCommand): Promise<TokenResult> {
    if (application !== undefined && !mayAskPasswords(application)) return refused(refusal('unauthorized_client'));
    const scopes = scope === undefined || scope.trim() === '' ? DEFAULT_SCOPES : readScopes(scope);
    if (scopes === undefined || !isAmong(scopes, application?.scopes ?? SCOPES)) {
      return refused(refusal('invalid_scope'));
    }
    const signIn = await this.resourceOwner.byPassword(username, password);
    if (signIn.outcome === 'second_factor_needed') return refused(refusal('invalid_grant', TWO_FACTOR_HINT));
    if (signIn.outcome !== 'signed_in') return refused(refusal('invalid_grant'));
    const now = this.clock.now();
    const token = this.mint.accessToken(scopes, now);
    const result = await this.unitOfWork.execute(async ({ users, emails, grants }): Promise<TokenResult> => {
      const user = await users.take(signIn.userId);
      // The second factor may have been put in force meanwhile.
      if (!stillLetsIn(user, signIn) || user?.twoFactor !== null) return refused(refusal('invalid_grant'));
      const beyond = refusedScopes(scopes, user);
      if (beyond !== undefined) return refused(beyond);
      const grant = await grants.open(
        {
          userId: signIn.userId,
          applicationId: application?.id ?? null,
          kind: 'password',
          scopes,
          nonce: null,
          authenticatedAt: now,
          createdAt: now,
          expiresAt: this.mint.expiryOf(now),
        },
        token.stored,
      );
      const owner = scopes.includes('openid') ? await claimed(user, emails) : undefined;
      return { outcome: 'issued', token: token.handOut(grant, owner) };
    });
    if (result.outcome === 'issued') this.counters.count('tokens_issued_total', { grant: 'password' });
    return result;
  }
}

import { CODE_LIFETIME_SECONDS } from '../../domain/oauth/authorization-code.js';
import {
  decideAuthorization,
  type AuthorizationDecision,
  type AuthorizationParameters,
  type AuthorizationRequest,
  type AuthorizationRules,
} from '../../domain/oauth/authorization-request.js';
import { isRecentProof } from '../../domain/identity/sensitive-act.js';
import { refusal, type OAuthRefusal } from '../../domain/oauth/oauth-error.js';
import type { UserId } from '../../domain/shared/identifiers.js';
import { changesThings } from '../../domain/shared/scope.js';
import type { Clock } from '../shared/ports/clock.js';
import { holdSession, type HeldSessionNeeds } from '../identity/operations/hold-session.js';
import type { IdentityCounters } from '../identity/ports/identity-counters.js';
import type { SecretDigester, SecretSource } from '../shared/ports/secrets.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { IssuedToken, TokenMint } from './issued-token.js';
import type { ApplicationReader } from './ports/application-repository.js';
import type { GrantReader } from './ports/oauth-readers.js';
import type { OAuthRepositories } from './ports/oauth-repositories.js';

/** Who is signed in where the request came in, and since when. */
export interface SignedIn {
  readonly userId: UserId;
  readonly sessionId: number;
  readonly authenticatedAt: Date;
}

/** What is to happen before a person can be asked, or instead. */
export type NextStep =
  | { readonly kind: 'ask' }
  | { readonly kind: 'sign_in' }
  | { readonly kind: 'approve' }
  | { readonly kind: 'refuse'; readonly refusal: OAuthRefusal };

export type Approval =
  | { readonly responseType: 'code'; readonly code: string }
  | { readonly responseType: 'token'; readonly token: IssuedToken };

/** The authorization endpoint (RFC 6749 §3.1). */
export class Authorize {
  constructor(
    private readonly unitOfWork: UnitOfWork<OAuthRepositories & HeldSessionNeeds>,
    private readonly applications: ApplicationReader,
    private readonly grants: GrantReader,
    private readonly mint: TokenMint,
    private readonly secrets: SecretSource,
    private readonly digester: SecretDigester,
    private readonly clock: Clock,
    private readonly counters: IdentityCounters,
    private readonly rules: AuthorizationRules,
  ) {}

  async decide(parameters: AuthorizationParameters): Promise<AuthorizationDecision> {
    const uid = parameters.given.client_id;
    const found = uid === undefined ? undefined : await this.applications.findByUid(uid);
    return decideAuthorization(parameters, found?.application, this.rules);
  }

  /** What `prompt` and `max_age` ask for (OpenID Connect Core §3.1.2.1); without them a person is asked every time. */
  async nextStep(request: AuthorizationRequest, person: SignedIn | undefined): Promise<NextStep> {
    const silently = request.prompts.includes('none');
    const fresh = person !== undefined && this.#isFresh(request, person);
    if (silently) {
      if (!fresh) return { kind: 'refuse', refusal: refusal('login_required') };
      const approved = await this.#approvedBefore(request, person);
      return approved ? { kind: 'approve' } : { kind: 'refuse', refusal: refusal('consent_required') };
    }
    const again = request.prompts.includes('login') || request.prompts.includes('select_account');
    return fresh && !again && (await this.mayApprove(request, person)) ? { kind: 'ask' } : { kind: 'sign_in' };
  }

  /**
   * Whether the person may say yes as they are signed in: to let an application change things for the first time is as much as to make a
   * token, and needs as recent a proof of who they are.
   */
  async mayApprove(request: AuthorizationRequest, person: SignedIn): Promise<boolean> {
    if (!request.scopes.some(changesThings) || isRecentProof(person.authenticatedAt, this.clock.now())) return true;
    return this.#approvedScopes(request, person);
  }

  /**
   * The person has said yes.
   * @throws Unauthenticated when their session has ended: what ended it ends what was given in it, and must not miss this.
   */
  async approve(request: AuthorizationRequest, person: SignedIn): Promise<Approval> {
    return request.responseType === 'code' ? this.#issueCode(request, person) : this.#issueToken(request, person);
  }

  #isFresh({ maxAge }: AuthorizationRequest, { authenticatedAt }: SignedIn): boolean {
    return maxAge === undefined || this.clock.now().getTime() - authenticatedAt.getTime() <= maxAge * 1_000;
  }

  /** Anybody can pose as an application that keeps no secret, so that one is never waved through (RFC 8252 §8.6). */
  async #approvedBefore(request: AuthorizationRequest, person: SignedIn): Promise<boolean> {
    return request.application.confidential && this.#approvedScopes(request, person);
  }

  async #approvedScopes({ application, scopes }: AuthorizationRequest, { userId }: SignedIn): Promise<boolean> {
    const approved = await this.grants.approvedScopes(userId, application.id, this.clock.now());
    return scopes.every((scope) => approved.has(scope));
  }

  async #issueCode(request: AuthorizationRequest, person: SignedIn): Promise<Approval> {
    const { userId, authenticatedAt } = person;
    const code = this.secrets.token();
    const now = this.clock.now();
    await this.unitOfWork.execute(async (repositories) => {
      await holdSession(repositories, person);
      await repositories.authorizationCodes.add({
        digest: this.digester.digest(code),
        userId,
        applicationId: request.application.id,
        redirectUri: request.redirectUri,
        scopes: request.scopes,
        codeChallenge: request.codeChallenge ?? null,
        nonce: request.nonce ?? null,
        authenticatedAt,
        createdAt: now,
        expiresAt: new Date(now.getTime() + CODE_LIFETIME_SECONDS * 1_000),
      });
    });
    return { responseType: 'code', code };
  }

  async #issueToken(request: AuthorizationRequest, person: SignedIn): Promise<Approval> {
    const { userId, authenticatedAt } = person;
    const now = this.clock.now();
    const { scopes } = request;
    const token = this.mint.accessToken(scopes, now);
    const grant = await this.unitOfWork.execute(async (repositories) => {
      await holdSession(repositories, person);
      return repositories.grants.open(
        {
          userId,
          applicationId: request.application.id,
          kind: 'implicit',
          scopes,
          nonce: request.nonce ?? null,
          authenticatedAt,
          createdAt: now,
          expiresAt: this.mint.expiryOf(now),
        },
        token.stored,
      );
    });
    this.counters.count('tokens_issued_total', { grant: 'implicit' });
    return { responseType: 'token', token: token.handOut(grant) };
  }
}

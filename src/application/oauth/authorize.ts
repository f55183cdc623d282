import type { Application } from '../../domain/oauth/application.js';
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
import { refusedScopes } from '../../domain/oauth/requested-scopes.js';
import type { UserId } from '../../domain/shared/identifiers.js';
import { changesThings } from '../../domain/shared/scope.js';
import type { Clock } from '../shared/ports/clock.js';
import { holdSession, type HeldSessionNeeds } from '../identity/operations/hold-session.js';
import type { IdentityCounters } from '../identity/ports/identity-counters.js';
import type { SecretDigester, SecretSource } from '../shared/ports/secrets.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { IdTokenHints } from './id-token-hints.js';
import type { IssuedToken, TokenMint } from './issued-token.js';
import type { ApplicationReader } from './ports/application-repository.js';
import type { GrantReader } from './ports/oauth-readers.js';
import type { OAuthRepositories } from './ports/oauth-repositories.js';

/** Who is signed in where the request came in. */
export interface SignedIn {
  readonly userId: UserId;
  readonly sessionId: number;
  readonly admin: boolean;
  /** When they last proved who they are, as far as that still counts. */
  readonly provedAt: Date;
  /** When they signed in, or proved it later: applications are told. */
  readonly authenticatedAt: Date;
}

/** A request beside whom it means. */
export interface AskedOfSomebody extends AuthorizationRequest {
  /** The `sub` that its `id_token_hint` names. */
  readonly meant: string | undefined;
}

/** What comes of a request before anybody is asked. */
export type Decision =
  | Exclude<AuthorizationDecision, { outcome: 'accepted' }>
  | { readonly outcome: 'accepted'; readonly request: AskedOfSomebody };

/** What is to happen before a person can be asked, or instead. */
export type NextStep =
  | { readonly kind: 'ask' }
  | { readonly kind: 'sign_in' }
  | { readonly kind: 'approve' }
  | { readonly kind: 'refuse'; readonly refusal: OAuthRefusal };

export type Approval =
  | { readonly responseType: 'code'; readonly code: string }
  | { readonly responseType: 'token'; readonly token: IssuedToken };

const HINT_NOT_OURS = refusal(
  'invalid_request',
  'The id_token_hint is no ID token that this service made for the application, or too old to tell.',
);
const SOMEBODY_ELSE = 'Somebody else has signed in than the id_token_hint names.';

const refuse = (...why: Parameters<typeof refusal>): NextStep => ({ kind: 'refuse', refusal: refusal(...why) });

const isMeant = ({ meant }: AskedOfSomebody, { userId }: SignedIn): boolean =>
  meant === undefined || meant === String(userId);

/** The authorization endpoint (RFC 6749 §3.1). */
export class Authorize {
  constructor(
    private readonly unitOfWork: UnitOfWork<OAuthRepositories & HeldSessionNeeds>,
    private readonly applications: ApplicationReader,
    private readonly grants: GrantReader,
    private readonly hints: IdTokenHints,
    private readonly mint: TokenMint,
    private readonly secrets: SecretSource,
    private readonly digester: SecretDigester,
    private readonly clock: Clock,
    private readonly counters: IdentityCounters,
    private readonly rules: AuthorizationRules,
  ) {}

  async decide(parameters: AuthorizationParameters): Promise<Decision> {
    const uid = parameters.given.client_id;
    const found = uid === undefined ? undefined : await this.applications.findByUid(uid);
    const decision = decideAuthorization(parameters, found?.application, this.rules);
    return decision.outcome === 'accepted' ? this.#decideMeant(decision.request) : decision;
  }

  /**
   * What `prompt`, `max_age` and `id_token_hint` ask for (OpenID Connect Core §3.1.2.1); without them a person is asked every time.
   * @param backFromSignIn whether the person was asked to sign in for this request: they are not asked twice to be somebody else.
   */
  async nextStep(request: AskedOfSomebody, person: SignedIn | undefined, backFromSignIn = false): Promise<NextStep> {
    if (request.prompts.includes('none')) return this.#nextSilently(request, person);
    if (person === undefined) return { kind: 'sign_in' };
    if (backFromSignIn && !isMeant(request, person)) return refuse('login_required', SOMEBODY_ELSE);
    const again = request.prompts.includes('login') || request.prompts.includes('select_account');
    if (again || !isMeant(request, person) || !this.#isFresh(request, person)) return { kind: 'sign_in' };
    const beyond = refusedScopes(request.scopes, person);
    if (beyond !== undefined) return { kind: 'refuse', refusal: beyond };
    return (await this.mayApprove(request, person)) ? { kind: 'ask' } : { kind: 'sign_in' };
  }

  /**
   * Whether the person may say yes as they are signed in: they are whom the request means, and to let an application change things for the
   * first time is as much as to make a token, and needs as recent a proof of who they are.
   */
  async mayApprove(request: AskedOfSomebody, person: SignedIn): Promise<boolean> {
    if (!isMeant(request, person)) return false;
    if (!request.scopes.some(changesThings) || isRecentProof(person.provedAt, this.clock.now())) return true;
    return this.#approvedScopes(request, person);
  }

  /**
   * Whether somebody may be sent to an application that they were not asked about. To one that came by itself only who has let it in before:
   * else a link to this service would lead wherever anybody likes (RFC 9700 §4.11.2).
   * @param userId undefined for a stranger.
   */
  async maySendBack({ id, selfRegistered }: Application, userId: UserId | undefined): Promise<boolean> {
    if (!selfRegistered) return true;
    return userId !== undefined && (await this.grants.approvedScopes(userId, id, this.clock.now())).size > 0;
  }

  /**
   * The person has said yes.
   * @returns why not where they may no longer give what is asked for.
   * @throws Unauthenticated when their session has ended: what ended it ends what was given in it, and must not miss this.
   */
  async approve(request: AuthorizationRequest, person: SignedIn): Promise<Approval | OAuthRefusal> {
    return request.responseType === 'code' ? this.#issueCode(request, person) : this.#issueToken(request, person);
  }

  async #decideMeant(request: AuthorizationRequest): Promise<Decision> {
    const { idTokenHint: hint, application, prompts } = request;
    if (hint === undefined) return { outcome: 'accepted', request: { ...request, meant: undefined } };
    const meant = await this.hints.subjectOf(hint, application.uid);
    return meant === undefined
      ? { outcome: 'refused', to: request, refusal: HINT_NOT_OURS, silent: prompts.includes('none') }
      : { outcome: 'accepted', request: { ...request, meant } };
  }

  async #nextSilently(request: AskedOfSomebody, person: SignedIn | undefined): Promise<NextStep> {
    const here = person !== undefined && isMeant(request, person) && this.#isFresh(request, person);
    if (!here) return refuse('login_required');
    const beyond = refusedScopes(request.scopes, person);
    if (beyond !== undefined) return { kind: 'refuse', refusal: beyond };
    return (await this.#approvedBefore(request, person)) ? { kind: 'approve' } : refuse('consent_required');
  }

  #isFresh({ maxAge }: AuthorizationRequest, { provedAt }: SignedIn): boolean {
    return maxAge === undefined || this.clock.now().getTime() - provedAt.getTime() <= maxAge * 1_000;
  }

  /** Anybody can pose as an application that keeps no secret, so that one is never waved through (RFC 8252 §8.6). */
  async #approvedBefore(request: AuthorizationRequest, person: SignedIn): Promise<boolean> {
    return request.application.confidential && this.#approvedScopes(request, person);
  }

  async #approvedScopes({ application, scopes }: AuthorizationRequest, { userId }: SignedIn): Promise<boolean> {
    const approved = await this.grants.approvedScopes(userId, application.id, this.clock.now());
    return scopes.every((scope) => approved.has(scope));
  }

  async #issueCode(request: AuthorizationRequest, person: SignedIn): Promise<Approval | OAuthRefusal> {
    const { userId, authenticatedAt } = person;
    const code = this.secrets.token();
    const now = this.clock.now();
    return this.unitOfWork.execute(async (repositories): Promise<Approval | OAuthRefusal> => {
      const beyond = refusedScopes(request.scopes, await holdSession(repositories, person));
      if (beyond !== undefined) return beyond;
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
      return { responseType: 'code', code };
    });
  }

  async #issueToken(request: AuthorizationRequest, person: SignedIn): Promise<Approval | OAuthRefusal> {
    const { userId, authenticatedAt } = person;
    const now = this.clock.now();
    const { scopes } = request;
    const token = this.mint.accessToken(scopes, now);
    const approved = await this.unitOfWork.execute(async (repositories): Promise<Approval | OAuthRefusal> => {
      const beyond = refusedScopes(scopes, await holdSession(repositories, person));
      if (beyond !== undefined) return beyond;
      const grant = await repositories.grants.open(
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
      return { responseType: 'token', token: token.handOut(grant) };
    });
    if ('token' in approved) this.counters.count('tokens_issued_total', { grant: 'implicit' });
    return approved;
  }
}

import type { Request } from 'express';
import type { Authorize, SignedIn } from '../../../../application/oauth/authorize.js';
import {
  AUTHORIZATION_PARAMETERS,
  type AuthorizationParameter,
  type AuthorizationParameters,
  type AuthorizationRequest,
} from '../../../../domain/oauth/authorization-request.js';
import { refusal } from '../../../../domain/oauth/oauth-error.js';
import { CODE_CHALLENGE_METHOD } from '../../../../domain/oauth/pkce.js';
import { exchangeOf } from '../server/exchange.js';
import { isStorable } from '../validation/storable-text.js';
import { approvalAddress, refusalAddress } from './authorization-redirect.js';
import { field, type PageContext, type Pages } from './page.js';
import { allowFormTarget } from './page-headers.js';
import type { Browser } from './page-session.js';
import { sendPage } from './render.js';
import { SCOPE_WORDS } from './scope-words.js';
import { given } from '../kit/given.js';

export interface AuthorizePagesParts {
  readonly authorize: Authorize;
  /** The public address of the service, without a trailing slash. */
  readonly issuer: () => string;
}

const AUTHORIZE_PATH = '/oauth/authorize';

/** The parameters of a query or a form; one without a value counts as absent (RFC 6749 §3.1). */
const readParameters = (source: unknown): AuthorizationParameters => {
  const fields = (source ?? {}) as Readonly<Record<string, unknown>>;
  const given: Partial<Record<AuthorizationParameter, string>> = {};
  const malformed: AuthorizationParameter[] = [];
  for (const name of AUTHORIZATION_PARAMETERS) {
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (typeof value === 'string' && isStorable(value)) {
      if (value !== '') given[name] = value;
    } else if (value !== undefined) malformed.push(name);
  }
  return { given, malformed };
};

const signedIn = ({ user, session }: Browser): SignedIn | undefined =>
  user === undefined || session === undefined
    ? undefined
    : { userId: user.id, sessionId: session.id, authenticatedAt: session.provedAt };

/** Only the first question mark begins the query: others belong to it (RFC 3986 §3.4). */
const queryOf = ({ originalUrl }: Request): URLSearchParams => {
  const mark = originalUrl.indexOf('?');
  return new URLSearchParams(mark < 0 ? '' : originalUrl.slice(mark + 1));
};

/** Where to sign in, and to come back from without being asked to sign in once more. */
const signInAddress = (again: URLSearchParams): string => {
  again.delete('max_age');
  const prompts = (again.get('prompt') ?? '').split(' ').filter((prompt) => prompt === 'consent');
  if (prompts.length > 0) again.set('prompt', prompts.join(' '));
  else again.delete('prompt');
  const returnTo = `${AUTHORIZE_PATH}?${again.toString()}`;
  return `/users/sign_in?reauthenticate=true&return_to=${encodeURIComponent(returnTo)}`;
};

/** A request as its form carries it. */
const formOf = (asked: AuthorizationRequest): Record<string, string> => ({
  client_id: asked.application.uid,
  redirect_uri: asked.redirectUri,
  response_type: asked.responseType,
  scope: asked.scopes.join(' '),
  ...given({ state: asked.state, nonce: asked.nonce }),
  ...(asked.codeChallenge === undefined
    ? {}
    : { code_challenge: asked.codeChallenge, code_challenge_method: CODE_CHALLENGE_METHOD }),
});

/** The one endpoint of OAuth that people see: may this application do that in your name? */
export const addAuthorizePages = (pages: Pages, { authorize, issuer }: AuthorizePagesParts): void => {
  /** The request, or undefined when it was answered already. */
  const accept = async (context: PageContext, source: unknown): Promise<AuthorizationRequest | undefined> => {
    const { browser, request, response } = context;
    const decision = await authorize.decide(readParameters(source));
    if (decision.outcome === 'accepted') return decision.request;
    if (decision.outcome === 'refused') {
      response.redirect(303, refusalAddress(decision.to, issuer(), decision.refusal));
      return undefined;
    }
    response.status(decision.status);
    sendPage(response, browser, 'error', {
      title: 'This application can’t be connected',
      explanation: `${decision.refusal.description} Its author has to mend this: nothing was shared with it.`,
      requestId: exchangeOf(request).id,
    });
    return undefined;
  };

  const ask = ({ browser, response }: PageContext, asked: AuthorizationRequest): void => {
    allowFormTarget(response, asked.redirectUri);
    sendPage(response, browser, 'consent', {
      title: `Authorize ${asked.application.name}`,
      application: asked.application,
      target: asked.redirectUri,
      scopes: asked.scopes.map((scope) => [scope, SCOPE_WORDS[scope]]),
      parameters: formOf(asked),
    });
  };

  const approve = async ({ response }: PageContext, asked: AuthorizationRequest, person: SignedIn): Promise<void> => {
    response.redirect(303, approvalAddress(asked, issuer(), await authorize.approve(asked, person)));
  };

  pages.get(AUTHORIZE_PATH, 'anyone', async (context) => {
    const { browser, request, response } = context;
    const asked = await accept(context, request.query);
    if (asked === undefined) return;
    const person = signedIn(browser);
    const step = await authorize.nextStep(asked, person);
    if (step.kind === 'refuse') return response.redirect(303, refusalAddress(asked, issuer(), step.refusal));
    if (step.kind === 'sign_in' || person === undefined) return response.redirect(303, signInAddress(queryOf(request)));
    return step.kind === 'approve' ? approve(context, asked, person) : ask(context, asked);
  });

  pages.post(AUTHORIZE_PATH, 'anyone', async (context) => {
    const { browser, request, response } = context;
    const asked = await accept(context, request.body);
    if (asked === undefined) return;
    const person = signedIn(browser);
    // The session ended while the page was open: sign in, and be asked again.
    const signIn = (): void => response.redirect(303, signInAddress(new URLSearchParams(formOf(asked))));
    if (person === undefined) return signIn();
    if (field(request, 'decision') === 'authorize')
      return (await authorize.mayApprove(asked, person)) ? approve(context, asked, person) : signIn();
    response.redirect(303, refusalAddress(asked, issuer(), refusal('access_denied')));
  });
};

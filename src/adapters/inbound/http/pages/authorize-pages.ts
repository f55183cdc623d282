import type { AskedOfSomebody, Authorize, SignedIn } from '../../../../application/oauth/authorize.js';
import type { AuthorizationRequest, ReturnAddress } from '../../../../domain/oauth/authorization-request.js';
import { refusal, type OAuthRefusal } from '../../../../domain/oauth/oauth-error.js';
import { exchangeOf } from '../server/exchange.js';
import {
  addressOfForm,
  AUTHORIZE_PATH,
  formOf,
  isBackFromSignIn,
  queryOf,
  queryOfForm,
  readParameters,
  signInBefore,
  signInFor,
} from './authorization-parameters.js';
import { approvalAddress, refusalAddress } from './authorization-redirect.js';
import { field, type PageContext, type Pages } from './page.js';
import { allowFormTarget } from './page-headers.js';
import type { Browser } from './page-session.js';
import { sendPage } from './render.js';
import { SCOPE_WORDS } from './scope-words.js';

export interface AuthorizePagesParts {
  readonly authorize: Authorize;
  /** The public address of the service, without a trailing slash. */
  readonly issuer: () => string;
}

/** A new password takes back what was proved in other sessions, and not that their person signed in there. */
const signedIn = ({ user, session }: Browser): SignedIn | undefined => {
  if (user === undefined || session === undefined) return undefined;
  const { id: sessionId, createdAt, provedAt } = session;
  return {
    userId: user.id,
    sessionId,
    admin: user.admin,
    provedAt,
    authenticatedAt: createdAt > provedAt ? createdAt : provedAt,
  };
};

/**
 * Tells an application no. Who has just signed in is sent on by a page: the form of signing in may lead nowhere but to this service, and
 * browsers hold every redirect that follows against that.
 */
const sendBack = ({ browser, request, response }: PageContext, address: string): void => {
  if (!isBackFromSignIn(request)) return response.redirect(303, address);
  sendPage(response, browser, 'onward', { title: 'Back to the application', onward: address });
};

/** Where nobody is sent anywhere. */
const sayUntrusted = ({ browser, request, response }: PageContext, explanation: string): void =>
  sendPage(response, browser, 'error', {
    title: 'This application can’t be connected',
    explanation,
    requestId: exchangeOf(request).id,
  });

/** Tells an application what is wrong, where its person may be sent there without having been asked. */
const tellWith =
  ({ authorize, issuer }: AuthorizePagesParts) =>
  async (context: PageContext, to: ReturnAddress, why: OAuthRefusal): Promise<void> => {
    const { browser, response } = context;
    if (await authorize.maySendBack(to.application, browser.user?.id))
      return sendBack(context, refusalAddress(to, issuer(), why));
    response.status(400);
    sayUntrusted(
      context,
      `${why.description} Nobody here has looked at this application: only who let it in is sent on.`,
    );
  };

/** The one endpoint of OAuth that people see: may this application do that in your name? */
export const addAuthorizePages = (pages: Pages, parts: AuthorizePagesParts): void => {
  const { authorize, issuer } = parts;
  const tell = tellWith(parts);
  /** The request, or undefined when it was answered already. @param query what `source` says, to come back with. */
  const accept = async (
    context: PageContext,
    source: unknown,
    query: URLSearchParams,
  ): Promise<AskedOfSomebody | undefined> => {
    const { browser, response } = context;
    const decision = await authorize.decide(readParameters(source));
    if (decision.outcome === 'accepted') return decision.request;
    if (decision.outcome === 'refused') {
      // A link to this service takes no stranger to a site that anybody registered, unless it may not ask who is there (RFC 9700 §4.11.2).
      if (browser.user === undefined && !decision.silent) response.redirect(303, signInBefore(query));
      else await tell(context, decision.to, decision.refusal);
      return undefined;
    }
    response.status(decision.status);
    sayUntrusted(context, `${decision.refusal.description} Its author has to mend this: nothing was shared with it.`);
    return undefined;
  };

  const ask = ({ browser, response }: PageContext, asked: AuthorizationRequest): void => {
    allowFormTarget(response, asked.redirectUri);
    sendPage(response, browser, 'consent', {
      title: `Authorize ${asked.application.name}`,
      application: asked.application,
      target: asked.redirectUri,
      unknown: asked.application.selfRegistered,
      scopes: asked.scopes.map((scope) => [scope, SCOPE_WORDS[scope]]),
      parameters: formOf(asked),
    });
  };

  const approve = async ({ response }: PageContext, asked: AuthorizationRequest, person: SignedIn): Promise<void> => {
    const answer = await authorize.approve(asked, person);
    const to = [asked, issuer()] as const;
    response.redirect(303, 'error' in answer ? refusalAddress(...to, answer) : approvalAddress(...to, answer));
  };

  pages.get(AUTHORIZE_PATH, 'anyone', async (context) => {
    const { browser, request, response } = context;
    const query = queryOf(request);
    const asked = await accept(context, request.query, query);
    if (asked === undefined) return;
    const person = signedIn(browser);
    const step = await authorize.nextStep(asked, person, isBackFromSignIn(request));
    if (step.kind === 'refuse') return tell(context, asked, step.refusal);
    if (step.kind === 'sign_in' || person === undefined) return response.redirect(303, signInFor(query));
    return step.kind === 'approve' ? approve(context, asked, person) : ask(context, asked);
  });

  const decideForm = async (context: PageContext): Promise<void> => {
    const { browser, request, response } = context;
    const asked = await accept(context, request.body, queryOfForm(request.body));
    if (asked === undefined) return;
    const person = signedIn(browser);
    // The session ended while the page was open, or is somebody else's now: sign in, and be asked again.
    const signIn = (): void => response.redirect(303, signInFor(new URLSearchParams(formOf(asked))));
    if (person === undefined) return signIn();
    if (field(request, 'decision') === 'authorize')
      return (await authorize.mayApprove(asked, person)) ? approve(context, asked, person) : signIn();
    response.redirect(303, refusalAddress(asked, issuer(), refusal('access_denied')));
  };
  pages.postBesideOthers(AUTHORIZE_PATH, 'decision', decideForm, addressOfForm);
};

import type { NewPerson, OpenedInvitation } from '../../../../../application/invitations/accept-invitation.js';
import type { SignUp } from '../../../../../application/invitations/sign-up.js';
import type { MatchedPassword } from '../../../../../application/identity/operations/matched-password.js';
import type { Sessions } from '../../../../../application/identity/sessions.js';
import type { UserActor } from '../../../../../application/shared/actor.js';
import { isEmailAddress } from '../../../../../domain/identity/user.js';
import { Conflict, Forbidden, Invalid, NotFound } from '../../../../../domain/shared/domain-error.js';
import type { LimitSignIn } from '../../middleware/sign-in-limit.js';
import { tell } from '../frame/notice.js';
import { field, type PageContext, type Pages } from '../page.js';
import { queryText } from '../page-request.js';
import { actorOf, type PageSessions } from '../page-session.js';
import { sendPage } from '../render.js';

/** Invitations as whoever follows their links needs them. */
interface Acceptance {
  open(token: string): Promise<OpenedInvitation | undefined>;
  asNewPerson(token: string, person: NewPerson): Promise<MatchedPassword | undefined>;
  asMember(token: string, actor: UserActor): Promise<boolean>;
}

export interface AcceptancePagesParts {
  readonly acceptInvitation: Acceptance;
  readonly signUp: SignUp;
  readonly sessions: Sessions;
  readonly pageSessions: PageSessions;
  readonly limitSignIn: LimitSignIn;
  readonly mailIsSetUp: boolean;
}

const PAGE = '/users/invitation';
const FIELDS = ['username', 'name'] as const;

const tokenOf = (context: PageContext): string =>
  field(context.request, 'invitation_token') || queryText(context, 'invitation_token');

/** Where a link leads, and where one that is no good ends. */
export const addAcceptancePages = (pages: Pages, parts: AcceptancePagesParts): void => {
  addInvitation(pages, parts);
  addNewPerson(pages, parts);
  addMember(pages, parts);
  addSignUp(pages, parts);
};

const showDead = ({ browser, response }: PageContext): void => {
  response.status(404);
  sendPage(response, browser, 'invitations/dead', { title: 'Invitation' });
};

const show = (context: PageContext, { invitation, into }: OpenedInvitation, extra: object = {}): void => {
  const { browser, request, response } = context;
  const link = tokenOf(context);
  sendPage(response, browser, 'invitations/accept', {
    title: into === undefined ? 'Create your account' : `Join ${into.place}`,
    link,
    signInAddress: `/users/sign_in?return_to=${encodeURIComponent(`${PAGE}?invitation_token=${link}`)}`,
    address: invitation.address,
    into,
    form: Object.fromEntries(FIELDS.map((name) => [name, field(request, name)])),
    ...extra,
  });
};

const placeAddress = ({ invitation: { membership }, into }: OpenedInvitation): string => {
  if (membership === null || into === undefined) return '/';
  return membership.place.kind === 'group' ? `/groups/${into.place}` : `/${into.place}`;
};

const addInvitation = (pages: Pages, { acceptInvitation }: AcceptancePagesParts): void => {
  // A link that is merely looked at (by a mail scanner, say) accepts nothing: the buttons do.
  pages.get(PAGE, 'anyone', async (context) => {
    const opened = await acceptInvitation.open(tokenOf(context));
    if (opened === undefined) return showDead(context);
    show(context, opened);
  });
};

/** What is said beside the fields, or at the top; the link stays good. */
const refusalOf = (error: unknown): object => {
  if (error instanceof Invalid) {
    // The name of a group is taken as that of an account is.
    const { path, ...problems } = error.problems;
    return { problems: path === undefined ? problems : { ...problems, username: path } };
  }
  if (error instanceof Forbidden) return { problem: error.message };
  if (!(error instanceof Conflict)) throw error;
  return error.message.startsWith('Email')
    ? { problem: 'An account with this address exists already. Sign in to it, and follow the link again.' }
    : { problems: { username: ['has already been taken'] } };
};

const addNewPerson = (pages: Pages, parts: AcceptancePagesParts): void => {
  const { acceptInvitation, sessions, pageSessions, limitSignIn } = parts;

  pages.post(PAGE, 'anyone', async (context) => {
    const { browser, request, response } = context;
    const link = tokenOf(context);
    const offer = await limitSignIn(request);
    const opened = await acceptInvitation.open(link);
    if (opened === undefined) return showDead(context);
    try {
      const [username, name] = FIELDS.map((each) => field(request, each).trim()) as [string, string];
      const password = offer(field(request, 'password'));
      const account = await acceptInvitation.asNewPerson(link, { username, name, password });
      if (account === undefined) return showDead(context);
      const session = await sessions.open('signed_in', account, null, browser.session);
      if (session === undefined) return response.redirect(303, '/users/sign_in');
      pageSessions.carry(response, session);
      tell(response, { ...browser, secret: session.secret }, `Welcome, ${name}. Your account is ready.`);
      response.redirect(303, placeAddress(opened));
    } catch (error) {
      const refusal = refusalOf(error);
      response.status(400);
      show(context, opened, refusal);
    }
  });
};

const addMember = (pages: Pages, { acceptInvitation }: AcceptancePagesParts): void => {
  pages.post(`${PAGE}/join`, 'signed_in', async (context) => {
    const { browser, response } = context;
    const link = tokenOf(context);
    const opened = await acceptInvitation.open(link);
    if (opened === undefined) return showDead(context);
    try {
      if (!(await acceptInvitation.asMember(link, actorOf(browser)))) return showDead(context);
      tell(response, browser, `You are a member of ${opened.into?.place ?? ''} now.`);
      response.redirect(303, placeAddress(opened));
    } catch (error) {
      if (!(error instanceof Conflict)) throw error;
      response.status(409);
      show(context, opened, { problem: `You are a member of ${opened.into?.place ?? ''} already.` });
    }
  });
};

const addSignUp = (pages: Pages, { signUp, limitSignIn, mailIsSetUp }: AcceptancePagesParts): void => {
  const showSignUp = ({ browser, response }: PageContext, extra: object = {}) =>
    sendPage(response, browser, 'invitations/sign-up', { title: 'Create an account', mailIsSetUp, ...extra });

  pages.get('/users/sign_up', 'anyone', (context) => {
    if (!signUp.isOpen) throw new NotFound();
    showSignUp(context);
  });

  pages.post('/users/sign_up', 'anyone', async (context) => {
    if (!signUp.isOpen) throw new NotFound();
    await limitSignIn(context.request);
    const address = field(context.request, 'email').trim();
    if (!isEmailAddress(address)) {
      context.response.status(400);
      return showSignUp(context, { problems: { email: ['is invalid'] }, email: address });
    }
    await signUp.ask(address);
    const notice = mailIsSetUp
      ? `A mail to ${address} says how to go on.`
      : 'Mail is not set up here: a link is sent once it is. Ask an administrator.';
    showSignUp(context, { notice });
  });
};

import type { EmailAddresses } from '../../../../application/identity/email-addresses.js';
import type { Sessions } from '../../../../application/identity/sessions.js';
import type { PasswordResult, SignIn } from '../../../../application/identity/sign-in.js';
import { Conflict } from '../../../../domain/shared/domain-error.js';
import { field, type PageContext, type Pages } from './page.js';
import { addPasswordPages, type PasswordPagesParts } from './password-pages.js';
import { localPath, type PageSessions } from './page-session.js';
import { sendPage } from './render.js';

export interface SignInPagesParts extends PasswordPagesParts {
  readonly signIn: SignIn;
  readonly sessions: Sessions;
  readonly emailAddresses: EmailAddresses;
  readonly pageSessions: PageSessions;
  /** Whether anybody may ask for an account. */
  readonly offersSignUp: boolean;
}

const REFUSALS: Readonly<Record<Exclude<PasswordResult['outcome'], 'signed_in' | 'second_factor_needed'>, string>> = {
  refused: 'Wrong user name or password. After ten wrong attempts an account is locked for ten minutes.',
  blocked: 'Your account has been blocked. Ask an administrator.',
  unconfirmed: 'Confirm your e-mail address first: follow the link that was mailed to you.',
};

export const addSignInPages = (pages: Pages, parts: SignInPagesParts): void => {
  addFirstFactor(pages, parts);
  addSecondFactor(pages, parts);
  addSignOut(pages, parts);
  addPasswordPages(pages, parts);
  addConfirmationPages(pages, parts);
};

const showSignIn = ({ browser, request, response }: PageContext, extra: object = {}) => {
  const returnTo = localPath(request.query['return_to'] ?? field(request, 'return_to'));
  sendPage(response, browser, 'sign-in', { title: 'Sign in', returnTo, login: field(request, 'login'), ...extra });
};

const addFirstFactor = (pages: Pages, parts: SignInPagesParts): void => {
  const { signIn, sessions, pageSessions, limitSignIn, offersSignUp } = parts;

  pages.get('/users/sign_in', 'anyone', (context) => {
    const { notice, reauthenticate } = context.request.query;
    // An application may ask for a fresh proof of who is there.
    const settled = context.browser.user !== undefined && reauthenticate === undefined;
    if (settled) return context.response.redirect(303, localPath(context.request.query['return_to']));
    const said = notice === 'password' ? { notice: 'Your password is set. Sign in with it.' } : {};
    return showSignIn(context, { offersSignUp, ...said });
  });

  pages.post('/users/sign_in', 'anyone', async (context) => {
    const { browser, request, response } = context;
    const returnTo = localPath(field(request, 'return_to'));
    const offer = await limitSignIn(request);
    const result = await signIn.byPassword(field(request, 'login').trim(), offer(field(request, 'password')));
    const refuse = (outcome: keyof typeof REFUSALS): void => {
      response.status(outcome === 'refused' ? 401 : 403);
      showSignIn(context, { offersSignUp, problem: REFUSALS[outcome] });
    };
    if (result.outcome !== 'signed_in' && result.outcome !== 'second_factor_needed') return refuse(result.outcome);
    const whole = result.outcome === 'signed_in';
    const [stage, then] = whole ? (['signed_in', null] as const) : (['second_factor', returnTo] as const);
    const opened = await sessions.open(stage, result, then, browser.session);
    if (opened === undefined) return refuse('refused');
    pageSessions.carry(response, opened);
    response.redirect(303, whole ? returnTo : '/users/sign_in/verify');
  });
};

const addSecondFactor = (pages: Pages, parts: SignInPagesParts): void => {
  const { signIn, sessions, pageSessions, limitSignIn } = parts;

  pages.get('/users/sign_in/verify', 'anyone', ({ browser, response }) => {
    if (browser.session?.stage !== 'second_factor') return response.redirect(303, '/users/sign_in');
    sendPage(response, browser, 'second-factor', { title: 'Two-factor authentication' });
  });

  pages.post('/users/sign_in/verify', 'anyone', async (context) => {
    const { browser, request, response } = context;
    if (browser.session?.stage !== 'second_factor') return response.redirect(303, '/users/sign_in');
    const { session } = browser;
    await limitSignIn(request);
    if ((await signIn.bySecondFactor(session.userId, field(request, 'code'))) === 'signed_in') {
      const opened = await sessions.finish(session);
      if (opened === undefined) return response.redirect(303, '/users/sign_in');
      pageSessions.carry(response, opened);
      return response.redirect(303, localPath(session.returnTo));
    }
    response.status(401);
    sendPage(response, browser, 'second-factor', {
      title: 'Two-factor authentication',
      problems: { code: ['That code is wrong or was used already.'] },
    });
  });
};

const addSignOut = (pages: Pages, { sessions, pageSessions }: SignInPagesParts): void => {
  pages.post('/users/sign_out', 'anyone', async ({ browser, response }) => {
    if (browser.session !== undefined) await sessions.end(browser.session);
    pageSessions.forget(response);
    response.redirect(303, '/users/sign_in');
  });
};

const addConfirmationPages = (pages: Pages, { emailAddresses }: SignInPagesParts): void => {
  /** Undefined, too, when another account has confirmed the address first. */
  const confirmAddress = async (link: string): Promise<string | undefined> => {
    try {
      return await emailAddresses.confirm(link);
    } catch (error) {
      if (error instanceof Conflict) return undefined;
      throw error;
    }
  };

  // A link that is merely looked at (by a mail scanner, say) must not confirm: the button does.
  pages.get('/users/confirmation', 'anyone', ({ browser, request, response }) => {
    const link = request.query['confirmation_token'];
    sendPage(response, browser, 'confirmation', {
      title: 'Confirm your address',
      link: typeof link === 'string' ? link : '',
    });
  });

  pages.post('/users/confirmation', 'anyone', async ({ browser, request, response }) => {
    const address = await confirmAddress(field(request, 'confirmation_token'));
    if (address === undefined) response.status(400);
    sendPage(response, browser, 'confirmation', {
      title: 'Confirm your address',
      link: '',
      ...(address === undefined
        ? { problem: 'That link has expired or was used already, or somebody else has confirmed the address.' }
        : { notice: `${address} is confirmed.` }),
    });
  });
};

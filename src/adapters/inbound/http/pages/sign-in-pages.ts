import type { UserId } from '../../../../domain/shared/identifiers.js';
import type { Account } from '../../../../application/identity/account.js';
import type { EmailAddresses } from '../../../../application/identity/email-addresses.js';
import type { ForgottenPassword } from '../../../../application/identity/forgotten-password.js';
import type { Sessions } from '../../../../application/identity/sessions.js';
import type { PasswordResult, SignIn } from '../../../../application/identity/sign-in.js';
import type { Session } from '../../../../application/identity/ports/session-repository.js';
import { isEmailAddress } from '../../../../domain/identity/user.js';
import { Conflict } from '../../../../domain/shared/domain-error.js';
import type { LimitSignIn } from '../middleware/sign-in-limit.js';
import { field, problemsOf, type PageContext, type Pages } from './page.js';
import { localPath, type PageSessions } from './page-session.js';
import { sendPage } from './render.js';

export interface SignInPagesParts {
  readonly signIn: SignIn;
  readonly sessions: Sessions;
  readonly account: Account;
  readonly forgottenPassword: ForgottenPassword;
  readonly emailAddresses: EmailAddresses;
  readonly pageSessions: PageSessions;
  readonly limitSignIn: LimitSignIn;
}

const REFUSALS: Readonly<Record<Exclude<PasswordResult['outcome'], 'signed_in' | 'second_factor_needed'>, string>> = {
  refused: 'Wrong user name or password. After ten wrong attempts an account is locked for ten minutes.',
  blocked: 'Your account has been blocked. Ask an administrator.',
  unconfirmed: 'Confirm your e-mail address first: follow the link that was mailed to you.',
};

const LINK_SENT = 'If that address belongs to an account, a link to set a new password is on its way.';

export const addSignInPages = (pages: Pages, parts: SignInPagesParts): void => {
  const { signIn, sessions, account, forgottenPassword, emailAddresses, pageSessions, limitSignIn } = parts;

  /** Undefined, too, when another account has confirmed the address first. */
  const confirmAddress = async (link: string): Promise<string | undefined> => {
    try {
      return await emailAddresses.confirm(link);
    } catch (error) {
      if (error instanceof Conflict) return undefined;
      throw error;
    }
  };

  const showSignIn = ({ browser, request, response }: PageContext, extra: object = {}) => {
    const returnTo = localPath(request.query['return_to'] ?? field(request, 'return_to'));
    sendPage(response, browser, 'sign-in', { title: 'Sign in', returnTo, login: field(request, 'login'), ...extra });
  };

  const enter = async ({ browser, response }: PageContext, userId: UserId, returnTo: string, replaces?: Session) => {
    const opened = await sessions.open('signed_in', userId, null, replaces ?? browser.session);
    pageSessions.carry(response, opened);
    response.redirect(303, returnTo);
  };

  pages.get('/users/sign_in', 'anyone', (context) => {
    const { notice, reauthenticate } = context.request.query;
    // An application may ask for a fresh proof of who is there.
    const settled = context.browser.user !== undefined && reauthenticate === undefined;
    if (settled) return context.response.redirect(303, localPath(context.request.query['return_to']));
    return showSignIn(context, notice === 'password' ? { notice: 'Your password is set. Sign in with it.' } : {});
  });

  pages.post('/users/sign_in', 'anyone', async (context) => {
    const { browser, request, response } = context;
    const returnTo = localPath(field(request, 'return_to'));
    const offer = await limitSignIn(request);
    const result = await signIn.byPassword(field(request, 'login').trim(), offer(field(request, 'password')));
    if (result.outcome === 'signed_in') return enter(context, result.userId, returnTo);
    if (result.outcome === 'second_factor_needed') {
      pageSessions.carry(response, await sessions.open('second_factor', result.userId, returnTo, browser.session));
      response.redirect(303, '/users/sign_in/verify');
      return;
    }
    response.status(result.outcome === 'refused' ? 401 : 403);
    showSignIn(context, { problem: REFUSALS[result.outcome] });
  });

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
      return enter(context, session.userId, localPath(session.returnTo), session);
    }
    response.status(401);
    sendPage(response, browser, 'second-factor', {
      title: 'Two-factor authentication',
      problems: { code: ['That code is wrong or was used already.'] },
    });
  });

  pages.post('/users/sign_out', 'anyone', async ({ browser, response }) => {
    if (browser.session !== undefined) await sessions.end(browser.session);
    pageSessions.forget(response);
    response.redirect(303, '/users/sign_in');
  });

  pages.get('/users/password/new', 'anyone', ({ browser, response }) => {
    sendPage(response, browser, 'forgotten-password', { title: 'Forgotten password' });
  });

  pages.post('/users/password/new', 'anyone', async ({ browser, request, response }) => {
    await limitSignIn(request);
    const address = field(request, 'email').trim();
    // Whatever it is, it costs the same; what can't be an address is nobody's.
    if (isEmailAddress(address)) await forgottenPassword.ask(address);
    sendPage(response, browser, 'forgotten-password', { title: 'Forgotten password', notice: LINK_SENT });
  });

  pages.get('/users/password/edit', 'anyone', ({ browser, request, response }) => {
    const link = request.query['reset_password_token'];
    sendPage(response, browser, 'new-password', { title: 'New password', link: typeof link === 'string' ? link : '' });
  });

  pages.post('/users/password/edit', 'anyone', async ({ browser, request, response }) => {
    const page = { title: 'New password', link: field(request, 'reset_password_token') };
    try {
      const offer = await limitSignIn(request);
      if (await account.setPasswordByLink(page.link, offer(field(request, 'password')), request.ip ?? '')) {
        response.redirect(303, '/users/sign_in?notice=password');
        return;
      }
      response.status(400);
      sendPage(response, browser, 'new-password', {
        ...page,
        problem: 'That link has expired or was used already. Ask for a new one.',
      });
    } catch (error) {
      const problems = problemsOf(error);
      response.status(400);
      sendPage(response, browser, 'new-password', { ...page, problems });
    }
  });

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

import type { Account } from '../../../../application/identity/account.js';
import type { ForgottenPassword } from '../../../../application/identity/forgotten-password.js';
import { isEmailAddress } from '../../../../domain/identity/user.js';
import type { LimitSignIn } from '../middleware/sign-in-limit.js';
import { field, problemsOf, type PageContext, type Pages } from './page.js';
import { sendPage, type FieldProblems, type PageLocals } from './render.js';

export interface PasswordPagesParts {
  readonly account: Account;
  readonly forgottenPassword: ForgottenPassword;
  readonly limitSignIn: LimitSignIn;
}

const LINK_SENT =
  'If that address belongs to an account, a link to set a new password is on its way. Another is sent after five minutes at the earliest.';
const LINK_WAITS = 'If that address belongs to an account, a link to set a new password waits until mail is set up.';

/** Where somebody who has forgotten a password asks for a link, and where the link leads. */
export const addPasswordPages = (
  pages: Pages,
  { account, forgottenPassword, limitSignIn }: PasswordPagesParts,
): void => {
  pages.get('/users/password/new', 'anyone', ({ browser, response }) => {
    sendPage(response, browser, 'forgotten-password', { title: 'Forgotten password' });
  });

  pages.post('/users/password/new', 'anyone', async ({ browser, request, response }) => {
    await limitSignIn(request);
    const address = field(request, 'email').trim();
    // Whatever it is, it costs the same; what can't be an address is nobody's.
    if (isEmailAddress(address)) await forgottenPassword.ask(address);
    const { mailIsSetUp } = response.locals as PageLocals;
    const notice = mailIsSetUp ? LINK_SENT : LINK_WAITS;
    sendPage(response, browser, 'forgotten-password', { title: 'Forgotten password', notice });
  });

  addNewPasswordPage(pages, account, limitSignIn);
};

const DEAD_LINK = 'That link has expired or was used already. Ask for a new one.';

/** What a link that leads nowhere shows: the form that asks for another. */
const sendDeadLink = ({ browser, response }: PageContext): void => {
  response.status(400);
  sendPage(response, browser, 'forgotten-password', { title: 'Forgotten password', problem: DEAD_LINK });
};

const addNewPasswordPage = (pages: Pages, account: Account, limitSignIn: LimitSignIn): void => {
  const show = async (context: PageContext, link: string, problems: FieldProblems = {}): Promise<void> => {
    const { browser, response } = context;
    const ends = await account.passwordLinkEnds(link);
    if (ends === undefined) return sendDeadLink(context);
    sendPage(response, browser, 'new-password', { title: 'New password', link, ends, problems });
  };

  pages.get('/users/password/edit', 'anyone', (context) => {
    const link = context.request.query['reset_password_token'];
    return show(context, typeof link === 'string' ? link : '');
  });

  pages.post('/users/password/edit', 'anyone', async (context) => {
    const { request, response } = context;
    const link = field(request, 'reset_password_token');
    try {
      const offer = await limitSignIn(request);
      const set = await account.setPasswordByLink(link, offer(field(request, 'password')), request.ip ?? '');
      if (!set) return sendDeadLink(context);
      response.redirect(303, '/users/sign_in?notice=password');
    } catch (error) {
      const problems = problemsOf(error);
      response.status(400);
      await show(context, link, problems);
    }
  });
};

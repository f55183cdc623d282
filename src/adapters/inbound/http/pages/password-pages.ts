import type { Account } from '../../../../application/identity/account.js';
import type { ForgottenPassword } from '../../../../application/identity/forgotten-password.js';
import { isEmailAddress } from '../../../../domain/identity/user.js';
import type { LimitSignIn } from '../middleware/sign-in-limit.js';
import { field, problemsOf, type Pages } from './page.js';
import { sendPage, type PageLocals } from './render.js';

export interface PasswordPagesParts {
  readonly account: Account;
  readonly forgottenPassword: ForgottenPassword;
  readonly limitSignIn: LimitSignIn;
}

const LINK_SENT = 'If that address belongs to an account, a link to set a new password is on its way.';
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
};

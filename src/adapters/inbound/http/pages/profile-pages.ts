import type { Account } from '../../../../application/identity/account.js';
import type { EmailAddresses } from '../../../../application/identity/email-addresses.js';
import type { PersonalAccessTokens } from '../../../../application/identity/personal-access-tokens.js';
import type { PersonalAccessTokenReader, UserReader } from '../../../../application/identity/ports/identity-readers.js';
import type { Clock } from '../../../../application/shared/ports/clock.js';
import { tokenState } from '../../../../domain/identity/personal-access-token.js';
import { isScope, PERSONAL_ACCESS_TOKEN_SCOPES } from '../../../../domain/shared/scope.js';
import { Conflict } from '../../../../domain/shared/domain-error.js';
import { field, fields, problemsOf, type PageContext, type Pages } from './page.js';
import { actorOf } from './page-session.js';
import type { PageFlash } from './page-flash.js';
import { sendPage } from './render.js';
import { SCOPE_WORDS } from './scope-words.js';

export interface ProfilePagesParts {
  readonly users: UserReader;
  readonly tokenReader: PersonalAccessTokenReader;
  readonly account: Account;
  readonly emailAddresses: EmailAddresses;
  readonly personalAccessTokens: PersonalAccessTokens;
  readonly clock: Clock;
  readonly flash: PageFlash;
}

/** What is said after a form, by the word in the address that it led to. */
const NOTICES: ReadonlyMap<string, string> = new Map([
  ['password', 'Your password is changed. Other browsers and all applications were signed out.'],
  ['two-factor-off', 'Two-factor authentication is off.'],
]);

const SHOWN_TOKENS = 100;
const QR_SIZE = 220;

export const addProfilePages = (pages: Pages, parts: ProfilePagesParts): void => {
  addAccountPages(pages, parts);
  addEmailPages(pages, parts);
  addTokenPages(pages, parts);
};

const addAccountPages = (pages: Pages, { account, flash }: ProfilePagesParts): void => {
  const show = ({ browser, response }: PageContext, extra: object = {}) =>
    sendPage(response, browser, 'account', { title: 'Account', ...extra });

  /** Runs a change that leads elsewhere, or shows what is wrong beside the fields. */
  const change = async (context: PageContext, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      const problems = problemsOf(error);
      context.response.status(400);
      show(context, { problems });
    }
  };

  const sessionIdOf = ({ browser }: PageContext): number => browser.session?.id ?? 0;

  const showEnrolment = async (context: PageContext, secret: string, address: string, extra: object = {}) => {
    // Loaded when it is needed: it is some 8 MB that most processes never use.
    const { toDataURL } = await import('qrcode');
    const qrCode = await toDataURL(address, { width: QR_SIZE, margin: 2 });
    sendPage(context.response, context.browser, 'two-factor', {
      title: 'Two-factor authentication',
      secret,
      qrCode,
      ...extra,
    });
  };

  pages.get('/profile/account', 'signed_in', (context) => {
    const { done } = context.request.query;
    const notice = typeof done === 'string' ? NOTICES.get(done) : undefined;
    show(context, notice === undefined ? {} : { notice });
  });

  pages.post('/profile/account/password', 'signed_in', (context) =>
    change(context, async () => {
      const { request, response } = context;
      const { id } = actorOf(context.browser);
      await account.changePassword(
        id,
        sessionIdOf(context),
        field(request, 'current_password'),
        field(request, 'password'),
      );
      response.redirect(303, '/profile/account?done=password');
    }),
  );

  pages.get('/profile/account/two_factor', 'signed_in', async (context) => {
    const { secret, address } = account.newTwoFactorSecret(actorOf(context.browser).username);
    await showEnrolment(context, secret, address);
  });

  pages.post('/profile/account/two_factor', 'signed_in', async (context) => {
    const { browser, request, response } = context;
    const { id, username } = actorOf(browser);
    const secret = field(request, 'secret');
    try {
      const recoveryCodes = await account.enableTwoFactor(id, sessionIdOf(context), secret, field(request, 'code'));
      flash.put(response, id, recoveryCodes);
      response.redirect(303, '/profile/account/recovery_codes');
    } catch (error) {
      const problems = problemsOf(error);
      response.status(400);
      await showEnrolment(context, secret, account.addressOf(secret, username), { problems });
    }
  });

  pages.get('/profile/account/recovery_codes', 'signed_in', ({ browser, request, response }) => {
    const recoveryCodes = flash.take(request, response, actorOf(browser).id);
    if (recoveryCodes.length === 0) return response.redirect(303, '/profile/account');
    sendPage(response, browser, 'recovery-codes', { title: 'Recovery codes', recoveryCodes });
  });

  pages.post('/profile/account/two_factor/disable', 'signed_in', (context) =>
    change(context, async () => {
      const { id } = actorOf(context.browser);
      await account.disableTwoFactor(id, sessionIdOf(context), field(context.request, 'two_factor_password'));
      context.response.redirect(303, '/profile/account?done=two-factor-off');
    }),
  );
};

const addEmailPages = (pages: Pages, { users, emailAddresses }: ProfilePagesParts): void => {
  const show = async ({ browser, response }: PageContext, extra: object = {}) => {
    const emails = await users.emailsOf(actorOf(browser).id);
    sendPage(response, browser, 'emails', { title: 'E-mail addresses', emails, ...extra });
  };

  const change = async (context: PageContext, work: (userId: number) => Promise<unknown>): Promise<void> => {
    try {
      await work(actorOf(context.browser).id);
      context.response.redirect(303, '/profile/emails');
    } catch (error) {
      const problems = error instanceof Conflict ? { email: [error.message] } : problemsOf(error);
      context.response.status(400);
      await show(context, { problems, email: field(context.request, 'email') });
    }
  };

  pages.get('/profile/emails', 'signed_in', (context) => show(context));
  pages.post('/profile/emails', 'signed_in', (context) =>
    change(context, (userId) => emailAddresses.add(userId, field(context.request, 'email').trim())),
  );
  pages.post('/profile/emails/:id/primary', 'signed_in', (context) =>
    change(context, (userId) => emailAddresses.makePrimary(userId, Number(context.request.params['id']) || 0)),
  );
  pages.post('/profile/emails/:id/remove', 'signed_in', (context) =>
    change(context, (userId) => emailAddresses.remove(userId, Number(context.request.params['id']) || 0)),
  );
};

const addTokenPages = (pages: Pages, { tokenReader, personalAccessTokens, clock, flash }: ProfilePagesParts): void => {
  const show = async ({ browser, request, response }: PageContext, extra: object = {}) => {
    const { id } = actorOf(browser);
    const { items } = await tokenReader.list({ userId: id, page: { page: 1, perPage: SHOWN_TOKENS } });
    const now = clock.now();
    const tokens = items
      .map((token) => ({ ...token, state: tokenState(token, now) }))
      .filter(({ state }) => state === 'active');
    const offered = PERSONAL_ACCESS_TOKEN_SCOPES.filter((scope) => scope !== 'sudo' || browser.user?.admin === true);
    const scopes = offered.map((scope) => [scope, SCOPE_WORDS[scope]]);
    sendPage(response, browser, 'personal-access-tokens', {
      title: 'Personal access tokens',
      tokens,
      scopes,
      name: field(request, 'name'),
      expiresAt: field(request, 'expires_at'),
      chosen: fields(request, 'scopes'),
      ...extra,
    });
  };

  pages.get('/profile/personal_access_tokens', 'signed_in', (context) => {
    const [newToken] = flash.take(context.request, context.response, actorOf(context.browser).id);
    return show(context, newToken === undefined ? {} : { newToken });
  });

  pages.post('/profile/personal_access_tokens', 'signed_in', async (context) => {
    const { browser, request, response } = context;
    const actor = actorOf(browser);
    const expiresAt = field(request, 'expires_at');
    try {
      const { secret } = await personalAccessTokens.create(actor, {
        userId: actor.id,
        name: field(request, 'name'),
        scopes: fields(request, 'scopes').filter(isScope),
        expiresAt: /^\d{4}-\d{2}-\d{2}$/.test(expiresAt) ? expiresAt : null,
      });
      flash.put(response, actor.id, [secret]);
      response.redirect(303, '/profile/personal_access_tokens');
    } catch (error) {
      const problems = problemsOf(error);
      response.status(400);
      await show(context, { problems });
    }
  });

  pages.post('/profile/personal_access_tokens/:id/revoke', 'signed_in', async ({ browser, request, response }) => {
    await personalAccessTokens.revoke(actorOf(browser), Number(request.params['id']) || 0);
    response.redirect(303, '/profile/personal_access_tokens');
  });
};

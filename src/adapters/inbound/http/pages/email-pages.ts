import type { EmailAddresses } from '../../../../application/identity/email-addresses.js';
import type { UserReader } from '../../../../application/identity/ports/identity-readers.js';
import { recoveryAddresses } from '../../../../domain/identity/user.js';
import { Conflict, TooManyRequests } from '../../../../domain/shared/domain-error.js';
import { field, pathNumber, problemsOf, type PageContext, type Pages } from './page.js';
import { tell } from './frame/notice.js';
import { orNotFound } from '../kit/or-not-found.js';
import { showQuestion } from './frame/removal-page.js';
import { actorOf } from './page-session.js';
import { sendPage, type FieldProblems } from './render.js';

export interface EmailPagesParts {
  readonly users: UserReader;
  readonly emailAddresses: EmailAddresses;
}

const PAGE = '/profile/emails';

const idOf = ({ request }: PageContext): number => pathNumber(request);

/** Beside the field for a new address, whatever it was that could not be done. */
const refusalOf = (error: unknown, { response }: PageContext): FieldProblems => {
  if (error instanceof TooManyRequests) {
    response.status(429).set('Retry-After', String(error.retryAfterSeconds));
    return { email: [error.message] };
  }
  const problems = error instanceof Conflict ? { email: [error.message] } : problemsOf(error);
  response.status(400);
  return problems;
};

/** One's own addresses. */
export const addEmailPages = (pages: Pages, { users, emailAddresses }: EmailPagesParts): void => {
  const show = async ({ browser, response }: PageContext, extra: object = {}) => {
    const emails = await users.emailsOf(actorOf(browser).id);
    const recovery = new Set(recoveryAddresses(emails).map(({ id }) => id));
    sendPage(response, browser, 'emails', {
      title: 'E-mail addresses',
      emails: emails.map((email) => ({ ...email, recovery: recovery.has(email.id) })),
      ...extra,
    });
  };

  const change = async (context: PageContext, done: string, work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
      tell(context.response, context.browser, done);
      context.response.redirect(303, PAGE);
    } catch (error) {
      const problems = refusalOf(error, context);
      await show(context, { problems, email: field(context.request, 'email') });
    }
  };

  pages.get(PAGE, 'signed_in', (context) => show(context));
  pages.postSensitive(PAGE, (context, person) =>
    change(context, 'Address added.', () => emailAddresses.add(person, field(context.request, 'email').trim())),
  );
  pages.postSensitive('/profile/emails/:id/primary', (context, person) =>
    change(context, 'Primary address changed.', () => emailAddresses.makePrimary(person, idOf(context))),
  );
  pages.postSensitive('/profile/emails/:id/recovery', (context, person) =>
    change(context, 'Password resets are allowed by the address.', () =>
      emailAddresses.useForRecovery(person, idOf(context)),
    ),
  );
  const nameOf = async (context: PageContext): Promise<string> => {
    const emails = await users.emailsOf(actorOf(context.browser).id);
    return orNotFound(
      emails.find(({ id }) => id === idOf(context)),
      'Email',
    ).address;
  };

  pages.get('/profile/emails/:id/remove', 'signed_in', async (context) => {
    showQuestion(context, {
      title: `Remove ${await nameOf(context)}?`,
      consequences: ['Nothing is mailed to it any more, and it no longer signs you in.'],
      button: 'Remove address',
      cancel: PAGE,
    });
  });
  pages.postSensitive('/profile/emails/:id/remove', async (context, person) =>
    change(context, `${await nameOf(context)} removed.`, () => emailAddresses.remove(person, idOf(context))),
  );
};

import type { Account } from '../../../../application/identity/account.js';
import type {
  SecurityEvent,
  SecurityEventReader,
} from '../../../../application/identity/ports/security-event-repository.js';
import { describeAct, describeMeans } from '../../../../application/identity/security-log.js';
import type { LimitSignIn } from '../middleware/sign-in-limit.js';
import { field, fields, problemsOf, type PageContext, type Pages } from './page.js';
import { actorOf } from './page-session.js';
import { sendPage } from './render.js';
import { given } from '../kit/given.js';

export interface AccountPagesParts {
  readonly account: Account;
  readonly securityEvents: SecurityEventReader;
  readonly limitSignIn: LimitSignIn;
}

/** What is said after a form, by the word in the address that it led to. */
const NOTICES: ReadonlyMap<string, string> = new Map([
  ['password', 'Your password is changed. Other browsers and all applications were signed out.'],
  ['password-only', 'Your password is changed. All applications were signed out; other browsers stay signed in.'],
  ['two-factor-off', 'Two-factor authentication is off.'],
]);

const SHOWN_EVENTS = 20;

const presentEvent = (event: SecurityEvent) => ({
  what: describeAct(event),
  how: describeMeans(event.source),
  from: event.source.clientAddress,
  at: event.at,
});

/** One's own password, and what was done to one's account. */
export const addAccountPages = (pages: Pages, parts: AccountPagesParts): void => {
  const { account, securityEvents, limitSignIn } = parts;

  const show = async ({ browser, response }: PageContext, extra: object = {}) => {
    const events = await securityEvents.recentOf(actorOf(browser).id, SHOWN_EVENTS);
    sendPage(response, browser, 'account', { title: 'Account', events: events.map(presentEvent), ...extra });
  };

  /** The box is ticked at first; a form without it means the same. */
  const keepsOtherSessions = ({ request }: PageContext): boolean => {
    const chosen = fields(request, 'other_sessions');
    return chosen.includes('keep') && !chosen.includes('end');
  };

  const showAgain = (context: PageContext, problems: object) =>
    show(context, { problems, keepOtherSessions: keepsOtherSessions(context) });

  pages.get('/profile/account', 'signed_in', (context) => {
    const { done } = context.request.query;
    const notice = typeof done === 'string' ? NOTICES.get(done) : undefined;
    return show(context, given({ notice }));
  });

  pages.postSensitive(
    '/profile/account/password',
    async (context, person) => {
      const { request, response } = context;
      const keepOtherSessions = keepsOtherSessions(context);
      try {
        const offer = await limitSignIn(request);
        await account.changePassword(person, offer(field(request, 'password')), { keepOtherSessions });
        response.redirect(303, `/profile/account?done=${keepOtherSessions ? 'password-only' : 'password'}`);
      } catch (error) {
        const problems = problemsOf(error);
        response.status(400);
        await showAgain(context, problems);
      }
    },
    { showAgain },
  );
};

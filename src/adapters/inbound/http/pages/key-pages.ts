import type { KeyReader } from '../../../../application/keys/ports/key-ports.js';
import type { UserKeys } from '../../../../application/keys/user-keys.js';
import type { ProvedPerson } from '../../../../application/identity/prove-identity.js';
import type { KeyFields } from '../../../../domain/keys/new-key.js';
import { isExpired, type UserKey } from '../../../../domain/keys/ssh-key.js';
import type { Clock } from '../../../../application/shared/ports/clock.js';
import { field, pathNumber, problemsOf, type PageContext, type Pages } from './page.js';
import { tell } from './frame/notice.js';
import { orNotFound } from '../kit/or-not-found.js';
import { besideKey, keyAgain } from './deploy/pasted-key.js';
import { addRemovalPage } from './frame/removal-page.js';
import { actorOf } from './page-session.js';
import { sendPage } from './render.js';

export interface KeyPagesParts {
  readonly keyReader: KeyReader;
  readonly userKeys: UserKeys;
  readonly clock: Clock;
}

const SHOWN_KEYS = 100;

const fieldsIn = ({ request }: PageContext): KeyFields => ({
  title: field(request, 'title'),
  key: field(request, 'key'),
  expiresAt: field(request, 'expires_at') || null,
});

/** One's own SSH keys. */
export const addKeyPages = (pages: Pages, { keyReader, userKeys, clock }: KeyPagesParts): void => {
  const show = async (context: PageContext, extra: object = {}) => {
    const { browser, request, response } = context;
    const { items } = await keyReader.listOfUser(actorOf(browser).id, { page: 1, perPage: SHOWN_KEYS });
    const now = clock.now();
    sendPage(response, browser, 'keys', {
      title: 'SSH keys',
      keys: items.map((key) => ({ ...key, type: key.publicKey.split(' ')[0], expired: isExpired(key, now) })),
      name: field(request, 'title'),
      key: keyAgain(context),
      expiresAt: field(request, 'expires_at'),
      ...extra,
    });
  };

  pages.get('/profile/keys', 'signed_in', (context) => show(context));

  const showProblems = async (context: PageContext, error: unknown) => {
    const problems = besideKey(context, problemsOf(error));
    context.response.status(400);
    await show(context, { problems });
  };

  const refuse = async (context: PageContext): Promise<boolean> => {
    try {
      userKeys.check(fieldsIn(context));
      return false;
    } catch (error) {
      await showProblems(context, error);
      return true;
    }
  };

  const add = async (context: PageContext, person: ProvedPerson) => {
    try {
      await userKeys.add(person, person.userId, fieldsIn(context));
      tell(context.response, context.browser, 'SSH key added.');
      context.response.redirect(303, '/profile/keys');
    } catch (error) {
      await showProblems(context, error);
    }
  };

  pages.postSensitive('/profile/keys', add, { refuse });

  addRemovalPage<UserKey>(pages, {
    path: '/profile/keys/:id/remove',
    find: async ({ browser, request }) =>
      orNotFound(await keyReader.findOfUser(actorOf(browser).id, pathNumber(request)), 'Key'),
    ask: (_context, { title }) => ({
      title: `Remove the SSH key ${title}?`,
      consequences: ['Whoever holds it is let in no more, from now on.'],
      button: 'Remove key',
      cancel: '/profile/keys',
    }),
    act: async ({ browser }, { id, title }) => {
      const actor = actorOf(browser);
      await userKeys.remove(actor, actor.id, id);
      return { notice: `SSH key “${title}” removed.`, to: '/profile/keys' };
    },
  });
};

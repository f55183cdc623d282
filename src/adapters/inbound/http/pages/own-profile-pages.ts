import type { Account } from '../../../../application/identity/account.js';
import { madeOnce } from '../../../../domain/shared/made-once.js';
import { tell } from './frame/notice.js';
import { field, problemsOf, type PageContext, type Pages } from './page.js';
import { actorOf } from './page-session.js';
import { sendPage } from './render.js';

export interface OwnProfilePagesParts {
  readonly account: Account;
}

const zones = madeOnce<readonly string[]>(() => [
  'UTC',
  ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC'),
]);

/** How one is shown to others, and in which zone one is shown times. */
export const addOwnProfilePages = (pages: Pages, { account }: OwnProfilePagesParts): void => {
  const show = ({ browser, response }: PageContext, extra: object = {}) =>
    sendPage(response, browser, 'profile', {
      title: 'Profile',
      form: {
        name: browser.user?.name ?? '',
        bio: browser.user?.bio ?? '',
        timeZone: browser.user?.timeZone ?? '',
      },
      zones: zones(),
      ...extra,
    });

  pages.get('/profile', 'signed_in', (context) => show(context));

  pages.post('/profile', 'signed_in', async (context) => {
    const { browser, request, response } = context;
    // Forms end lines with two characters.
    const form = {
      name: field(request, 'name').trim(),
      bio: field(request, 'bio').replaceAll('\r\n', '\n').trim(),
      timeZone: field(request, 'time_zone'),
    };
    try {
      await account.describe(actorOf(browser).id, { ...form, timeZone: form.timeZone || null });
      tell(response, browser, 'Your profile was changed.');
      response.redirect(303, '/profile');
    } catch (error) {
      const problems = problemsOf(error);
      response.status(400);
      show(context, { form, problems });
    }
  });
};

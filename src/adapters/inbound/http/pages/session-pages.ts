import type { Sessions } from '../../../../application/identity/sessions.js';
import { describeDevice } from '../../../../domain/identity/device.js';
import { Unauthenticated } from '../../../../domain/shared/domain-error.js';
import { tell } from './frame/notice.js';
import { pathNumber, type Pages } from './page.js';
import { actorOf } from './page-session.js';
import { sendPage } from './render.js';

export interface SessionPagesParts {
  readonly sessions: Sessions;
}

const PAGE = '/profile/sessions';

/** Where one is signed in. */
export const addSessionPages = (pages: Pages, { sessions }: SessionPagesParts): void => {
  pages.get(PAGE, 'signed_in', async ({ browser, response }) => {
    const all = await sessions.listOf(actorOf(browser).id);
    sendPage(response, browser, 'sessions', {
      title: 'Sessions',
      sessions: all.map((each) => ({
        ...each,
        device: describeDevice(each.userAgent),
        current: each.id === browser.session?.id,
      })),
    });
  });

  pages.post(`${PAGE}/revoke_others`, 'signed_in', async ({ browser, response }) => {
    if (browser.session === undefined) throw new Unauthenticated();
    await sessions.endOthers(browser.session);
    tell(response, browser, 'Every other browser was signed out.');
    response.redirect(303, PAGE);
  });

  pages.post(`${PAGE}/:id/revoke`, 'signed_in', async ({ browser, request, response }) => {
    await sessions.revoke(actorOf(browser).id, pathNumber(request));
    tell(response, browser, 'The session was revoked: that browser is signed out.');
    response.redirect(303, PAGE);
  });
};

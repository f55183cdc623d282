import { stringifySetCookie } from 'cookie';
import { field } from '../form-fields.js';
import type { Pages } from '../page.js';
import { localPath } from '../page-session.js';
import { THEME_COOKIE, themeIn } from './theme.js';

const A_YEAR_SECONDS = 365 * 24 * 3_600;

/** Chooses light or dark colors, for this browser. */
export const addThemeForm = (pages: Pages): void => {
  pages.post('/-/theme', 'anyone', ({ request, response }) => {
    const cookie = {
      name: THEME_COOKIE,
      value: themeIn(field(request, 'theme')),
      maxAge: A_YEAR_SECONDS,
      httpOnly: true,
      sameSite: 'lax',
      path: '/',
    } as const;
    response.append('Set-Cookie', stringifySetCookie(cookie));
    response.redirect(303, localPath(field(request, 'return_to')));
  });
};

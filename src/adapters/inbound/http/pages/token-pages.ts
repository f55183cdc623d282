import type { PersonalAccessTokens } from '../../../../application/identity/personal-access-tokens.js';
import type { PersonalAccessTokenReader } from '../../../../application/identity/ports/identity-readers.js';
import type { Clock } from '../../../../application/shared/ports/clock.js';
import type { PersonalAccessToken } from '../../../../domain/identity/personal-access-token.js';
import { NotFound } from '../../../../domain/shared/domain-error.js';
import { isScope, PERSONAL_ACCESS_TOKEN_SCOPES } from '../../../../domain/shared/scope.js';
import { field, pathNumber, fields, problemsOf, type PageContext, type Pages } from './page.js';
import type { PageFlash } from './page-flash.js';
import { addRemovalPage } from './frame/removal-page.js';
import { allowLiveScript } from './page-headers.js';
import { pageRequest } from './page-request.js';
import { actorOf } from './page-session.js';
import { sendPage } from './render.js';
import { SCOPE_WORDS } from './scope-words.js';

export interface TokenPagesParts {
  readonly tokenReader: PersonalAccessTokenReader;
  readonly personalAccessTokens: PersonalAccessTokens;
  readonly clock: Clock;
  readonly flash: PageFlash;
}

/** One's own personal access tokens. */
export const addTokenPages = (pages: Pages, parts: TokenPagesParts): void => {
  const { tokenReader, personalAccessTokens, clock, flash } = parts;
  const show = async ({ browser, request, response }: PageContext, extra: object = {}) => {
    const { id } = actorOf(browser);
    const paging = pageRequest({ request });
    const page = await tokenReader.list({ userId: id, activeAt: clock.now(), page: paging });
    const offered = PERSONAL_ACCESS_TOKEN_SCOPES.filter((scope) => scope !== 'sudo' || browser.user?.admin === true);
    const scopes = offered.map((scope) => [scope, SCOPE_WORDS[scope]]);
    sendPage(response, browser, 'personal-access-tokens', {
      title: 'Personal access tokens',
      tokens: page.items,
      page,
      request: paging,
      scopes,
      name: field(request, 'name'),
      expiresAt: field(request, 'expires_at'),
      chosen: fields(request, 'scopes'),
      ...extra,
    });
  };

  pages.get('/profile/personal_access_tokens', 'signed_in', (context) => {
    const [newToken] = flash.take(context.request, context.response, actorOf(context.browser).id);
    if (newToken === undefined) return show(context);
    allowLiveScript(context.response);
    return show(context, { newToken, copies: true });
  });

  pages.postSensitive('/profile/personal_access_tokens', async (context, person) => {
    const { request, response } = context;
    const expiresAt = field(request, 'expires_at');
    try {
      const { secret } = await personalAccessTokens.create(person, {
        userId: person.userId,
        name: field(request, 'name'),
        scopes: fields(request, 'scopes').filter(isScope),
        expiresAt: expiresAt === '' ? null : expiresAt,
      });
      flash.put(response, person.userId, [secret], '/profile/personal_access_tokens');
      response.redirect(303, '/profile/personal_access_tokens');
    } catch (error) {
      const problems = problemsOf(error);
      response.status(400);
      await show(context, { problems });
    }
  });

  addRevocationPage(pages, parts);
};

const addRevocationPage = (pages: Pages, { tokenReader, personalAccessTokens }: TokenPagesParts): void =>
  addRemovalPage<PersonalAccessToken>(pages, {
    path: '/profile/personal_access_tokens/:id/revoke',
    find: async ({ browser, request }) => {
      const token = await tokenReader.find(pathNumber(request));
      if (token === undefined || token.userId !== actorOf(browser).id) throw new NotFound('Token');
      return token;
    },
    ask: (_context, { name }) => ({
      title: `Revoke the token ${name}?`,
      consequences: ['Programs that use it are refused at once.', 'It can’t be brought back; a new one can be made.'],
      button: 'Revoke token',
      cancel: '/profile/personal_access_tokens',
    }),
    act: async ({ browser }, { id, name }) => {
      await personalAccessTokens.revoke(actorOf(browser), id);
      return { notice: `Token “${name}” revoked.`, to: '/profile/personal_access_tokens' };
    },
  });

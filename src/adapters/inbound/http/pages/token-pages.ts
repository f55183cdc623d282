import type { PersonalAccessTokens } from '../../../../application/identity/personal-access-tokens.js';
import type { PersonalAccessTokenReader } from '../../../../application/identity/ports/identity-readers.js';
import type { Clock } from '../../../../application/shared/ports/clock.js';
import {
  ROTATED_LASTS_DAYS,
  tokenState,
  type PersonalAccessToken,
} from '../../../../domain/identity/personal-access-token.js';
import { NotFound } from '../../../../domain/shared/domain-error.js';
import { isScope, PERSONAL_ACCESS_TOKEN_SCOPES } from '../../../../domain/shared/scope.js';
import { field, pathNumber, fields, problemsOf, type PageContext, type Pages } from './page.js';
import type { PageFlash } from './page-flash.js';
import { refusalOf, type Refusal } from './frame/form-page.js';
import { tell } from './frame/notice.js';
import { addRemovalPage, showQuestion } from './frame/removal-page.js';
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

const PAGE = '/profile/personal_access_tokens';

/** One's own personal access tokens. */
export const addTokenPages = (pages: Pages, parts: TokenPagesParts): void => {
  const { tokenReader, personalAccessTokens, clock, flash } = parts;
  const show = async ({ browser, request, response }: PageContext, extra: object = {}) => {
    const { id } = actorOf(browser);
    const paging = pageRequest({ request });
    const page = await tokenReader.list({
      userId: id,
      state: { is: 'active', at: clock.now() },
      sort: 'created_desc',
      page: paging,
    });
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

  pages.get(PAGE, 'signed_in', (context) => {
    const [newToken] = flash.take(context.request, context.response, actorOf(context.browser).id);
    if (newToken === undefined) return show(context);
    allowLiveScript(context.response);
    return show(context, { newToken, copies: true });
  });

  pages.postSensitive(PAGE, async (context, person) => {
    const { request, response } = context;
    const expiresAt = field(request, 'expires_at');
    try {
      const { secret } = await personalAccessTokens.create(person, {
        userId: person.userId,
        name: field(request, 'name'),
        scopes: fields(request, 'scopes').filter(isScope),
        expiresAt: expiresAt === '' ? null : expiresAt,
      });
      flash.put(response, person.userId, [secret], PAGE);
      response.redirect(303, PAGE);
    } catch (error) {
      const problems = problemsOf(error);
      response.status(400);
      await show(context, { problems });
    }
  });

  addRevocationPage(pages, parts);
  addRotationPage(pages, parts);
};

const findOwn = async ({ tokenReader }: TokenPagesParts, { browser, request }: PageContext) => {
  const token = await tokenReader.find(pathNumber(request));
  if (token === undefined || token.userId !== actorOf(browser).id) throw new NotFound('Token');
  return token;
};

/** The same, unless it has ended: a form that is sent twice must not end what it made. */
const findActive = async (parts: TokenPagesParts, context: PageContext) => {
  const token = await findOwn(parts, context);
  if (tokenState(token, parts.clock.now()) !== 'active') throw new NotFound('Token');
  return token;
};

const addRevocationPage = (pages: Pages, parts: TokenPagesParts): void =>
  addRemovalPage<PersonalAccessToken>(pages, {
    path: `${PAGE}/:id/revoke`,
    find: (context) => findOwn(parts, context),
    ask: (_context, { name }) => ({
      title: `Revoke the token ${name}?`,
      consequences: ['Programs that use it are refused at once.', 'It can’t be brought back; a new one can be made.'],
      button: 'Revoke token',
      cancel: PAGE,
    }),
    act: async ({ browser }, { id, name }) => {
      await parts.personalAccessTokens.revoke(actorOf(browser), id);
      return { notice: `Token “${name}” revoked.`, to: PAGE };
    },
  });

const addRotationPage = (pages: Pages, parts: TokenPagesParts): void => {
  const { personalAccessTokens, flash } = parts;
  const ask = (context: PageContext, { name }: PersonalAccessToken, refusal: Refusal = {}) =>
    showQuestion(
      context,
      {
        title: `Rotate the token ${name}?`,
        consequences: [
          'Programs that use it are refused at once, until they are given the new one.',
          `The new one has its name and scopes, and lasts ${ROTATED_LASTS_DAYS} days.`,
        ],
        button: 'Rotate token',
        cancel: PAGE,
      },
      refusal,
    );
  pages.get(`${PAGE}/:id/rotate`, 'signed_in', async (context) => ask(context, await findActive(parts, context)));
  pages.postSensitive('/profile/personal_access_tokens/:id/rotate', async (context, person) => {
    const { browser, response } = context;
    const token = await findActive(parts, context);
    const command = { tokenId: token.id, clientAddress: person.clientAddress };
    try {
      const { name, secret } = await personalAccessTokens.rotate(person, command);
      flash.put(response, person.userId, [secret], PAGE);
      tell(response, browser, `Token “${name}” rotated.`);
      response.redirect(303, PAGE);
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal === undefined) throw error;
      const { status, ...said } = refusal;
      response.status(status);
      ask(context, token, said);
    }
  });
};

import type { AccessTokens } from '../../../../../application/keys/access-tokens.js';
import type { AccessTokenReader } from '../../../../../application/keys/ports/access-token-reader.js';
import type { Clock } from '../../../../../application/shared/ports/clock.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import {
  ROTATED_LASTS_DAYS,
  tokenState,
  type AccessToken,
} from '../../../../../domain/identity/personal-access-token.js';
import {
  ACCESS_LEVEL,
  ACCESS_LEVEL_NAMES,
  GROUP_MEMBER_LEVELS,
  type AccessLevel,
} from '../../../../../domain/shared/access-level.js';
import { isScope, PERSONAL_ACCESS_TOKEN_SCOPES } from '../../../../../domain/shared/scope.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { field, fields, pathNumber } from '../form-fields.js';
import { addFormPage, dayField, typed, typedList, type Refusal } from '../frame/form-page.js';
import { addRemovalPage, type Question } from '../frame/removal-page.js';
import type { PageContext } from '../page-context.js';
import type { PageFlash } from '../page-flash.js';
import { allowLiveScript } from '../page-headers.js';
import type { Pages } from '../page.js';
import { pageRequest } from '../page-request.js';
import { actorOf } from '../page-session.js';
import { SCOPE_WORDS } from '../scope-words.js';
import {
  ACCESS_TOKEN_PATHS,
  ACCESS_TOKENS_TAB,
  tokensOfGroup,
  tokensOfProject,
  type AccessTokenPlace,
} from './access-token-places.js';

export interface AccessTokenPagesParts {
  readonly access: WorkspaceAccess;
  readonly accessTokens: AccessTokens;
  readonly accessTokenReader: AccessTokenReader;
  readonly flash: PageFlash;
  readonly clock: Clock;
}
type Parts = AccessTokenPagesParts;

/** The same pages for projects and for groups. */
interface Collection {
  readonly path: string;
  readonly find: (context: PageContext) => Promise<AccessTokenPlace>;
}

/** Settings > Access tokens of a project or a group: with one a program does there what a member may. */
export const addAccessTokenPages = (pages: Pages, parts: Parts): void => {
  const tab = {
    name: ACCESS_TOKENS_TAB,
    label: 'Access tokens',
    to: 'settings/access_tokens',
    order: 78,
    within: 'settings',
    signedIn: true,
  } as const;
  pages.tabs.addToProjects({ ...tab, permission: 'manage_access_tokens' });
  pages.tabs.addToGroups({ ...tab, permission: 'manage_group_access_tokens' });
  const collections: readonly Collection[] = [
    { path: ACCESS_TOKEN_PATHS.ofGroup, find: tokensOfGroup(parts) },
    { path: ACCESS_TOKEN_PATHS.ofProject, find: tokensOfProject(parts) },
  ];
  for (const collection of collections) {
    addList(pages, parts, collection);
    addRevocation(pages, parts, collection);
    addRotation(pages, parts, collection);
  }
};

const nameOf = (level: number): string => ACCESS_LEVEL_NAMES[level as AccessLevel];

const show = async (parts: Parts, context: PageContext, place: AccessTokenPlace, refusal: Refusal): Promise<void> => {
  const { browser, request, response } = context;
  const [newToken] = parts.flash.take(request, response, actorOf(browser).id);
  if (newToken !== undefined) allowLiveScript(response);
  const paging = pageRequest(context);
  const state = { is: 'active', at: parts.clock.now() } as const;
  const page = await parts.accessTokenReader.list({ place: place.place, state, sort: 'created_desc', page: paging });
  await place.send('deploy/access-tokens', {
    title: `Access tokens of ${place.name}`,
    address: place.address,
    kind: place.place.kind,
    newToken,
    copies: newToken !== undefined,
    tokens: page.items.map((token) => ({ ...token, level: nameOf(token.accessLevel) })),
    page,
    request: paging,
    scopes: PERSONAL_ACCESS_TOKEN_SCOPES.filter((scope) => scope !== 'sudo').map((scope) => [
      scope,
      SCOPE_WORDS[scope].replace(' you can', ' its level allows'),
    ]),
    levels: GROUP_MEMBER_LEVELS.filter((each) => each <= place.holder.level).map((each) => [each, nameOf(each)]),
    fieldLabels: { access_level: 'level', expires_at: 'expiry' },
    form: typed(context, { name: '', description: '', access_level: String(ACCESS_LEVEL.guest), expires_at: '' }),
    chosen: typedList(context, 'scopes', []),
    ...refusal,
  });
};

const addList = (pages: Pages, parts: Parts, { path, find }: Collection): void =>
  addFormPage<AccessTokenPlace>(pages, {
    path,
    find,
    show: (context, place, refusal) => show(parts, context, place, refusal),
    act: async (context, { holder, address }) => {
      const { browser, request, response } = context;
      const actor = actorOf(browser);
      const { name, secret } = await parts.accessTokens.create(actor, holder, {
        name: field(request, 'name').trim(),
        description: field(request, 'description').trim() || null,
        scopes: fields(request, 'scopes').filter(isScope),
        accessLevel: Number(field(request, 'access_level')),
        expiresAt: dayField(context, 'expires_at'),
      });
      parts.flash.put(response, actor.id, [secret], address);
      return { notice: `Access token “${name}” made.`, to: address };
    },
  });

interface Found {
  readonly place: AccessTokenPlace;
  readonly token: AccessToken;
}

const findIn =
  ({ accessTokenReader, clock }: Parts, { find }: Collection) =>
  async (context: PageContext): Promise<Found> => {
    const place = await find(context);
    const token = await accessTokenReader.find(place.place, pathNumber(context.request));
    const works = token !== undefined && tokenState(token, clock.now()) === 'active';
    return { place, token: orNotFound(works ? token : undefined, 'Access Token') };
  };

const asked = async (
  { place: { address, frame } }: Found,
  question: Pick<Question, 'title' | 'consequences' | 'button'>,
): Promise<Question> => ({ ...question, cancel: address, frame: await frame() });

const addRevocation = (pages: Pages, parts: Parts, collection: Collection): void =>
  addRemovalPage<Found>(pages, {
    path: `${collection.path}/:id/revoke`,
    find: findIn(parts, collection),
    ask: (_context, found) =>
      asked(found, {
        title: `Revoke the access token ${found.token.name}?`,
        consequences: [
          'Programs that use it are refused at once, and its bot is a member no longer.',
          'What it did stays. It can’t be brought back; a new one can be made.',
        ],
        button: 'Revoke token',
      }),
    act: async (_context, { place: { holder, address }, token: { id, name } }) => {
      await parts.accessTokens.revoke(holder, id);
      return { notice: `Access token “${name}” revoked.`, to: address };
    },
  });

const addRotation = (pages: Pages, parts: Parts, collection: Collection): void =>
  addRemovalPage<Found>(pages, {
    path: `${collection.path}/:id/rotate`,
    find: findIn(parts, collection),
    ask: (_context, found) =>
      asked(found, {
        title: `Rotate the access token ${found.token.name}?`,
        consequences: [
          'Programs that use it are refused at once, until they are given the new one.',
          `The new one has its name, scopes and level, and lasts ${ROTATED_LASTS_DAYS} days.`,
        ],
        button: 'Rotate token',
      }),
    act: async ({ browser, request, response }, { place: { holder, address }, token }) => {
      const actor = actorOf(browser);
      const command = { tokenId: token.id, clientAddress: request.ip ?? null };
      const { name, secret } = await parts.accessTokens.rotate(actor, holder, command);
      parts.flash.put(response, actor.id, [secret], address);
      return { notice: `Access token “${name}” rotated.`, to: address };
    },
  });

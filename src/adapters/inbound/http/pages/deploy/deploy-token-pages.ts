import type { DeployTokens } from '../../../../../application/keys/deploy-tokens.js';
import type { DeployTokenReader } from '../../../../../application/keys/ports/deploy-token-ports.js';
import type { Clock } from '../../../../../application/shared/ports/clock.js';
import type { DeployToken, DeployTokenScope } from '../../../../../domain/keys/deploy-token.js';
import { isExpired } from '../../../../../domain/keys/ssh-key.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { field, fields, idIn, pathNumber } from '../form-fields.js';
import { addFormPage, typed, typedList, type Refusal } from '../frame/form-page.js';
import { addRemovalPage } from '../frame/removal-page.js';
import type { PageContext } from '../page-context.js';
import type { PageFlash } from '../page-flash.js';
import { allowLiveScript } from '../page-headers.js';
import type { Pages } from '../page.js';
import { pageRequest } from '../page-request.js';
import { actorOf } from '../page-session.js';
import {
  ofGroup,
  ofProject,
  PATHS,
  TOKENS_TAB,
  type DeployTokenPlacesParts,
  type TokenPlace,
} from './deploy-token-places.js';

export interface DeployTokenPagesParts extends DeployTokenPlacesParts {
  readonly deployTokens: DeployTokens;
  readonly deployTokenReader: DeployTokenReader;
  readonly flash: PageFlash;
  readonly clock: Clock;
}
type Parts = DeployTokenPagesParts;

/** The same pages for projects and for groups. */
interface Collection {
  readonly path: string;
  readonly find: (context: PageContext) => Promise<TokenPlace>;
}

/** A token as its maker sees it once. */
interface NewToken {
  readonly username: string;
  readonly secret: string;
  /** Absent where its scopes don't let it fetch. */
  readonly command?: string;
}

type ScopeOfContainers = 'read_registry' | 'write_registry';

/** In words that complete "it may …". */
const SCOPES = Object.entries({
  read_repository: 'clone the code and fetch from it, over HTTP',
  read_package_registry: 'list and download packages',
  write_package_registry: 'send files of packages, and download them',
} satisfies Record<Exclude<DeployTokenScope, ScopeOfContainers>, string>);

/** The same of what is there for programs that ask for it. */
const OF_CONTAINERS = Object.entries({
  read_registry: 'read images of containers',
  write_registry: 'store images of containers',
} satisfies Record<ScopeOfContainers, string>);

/** Settings > Deploy tokens of a project or a group: with one, a machine fetches code, and fetches and sends packages, over HTTP. */
export const addDeployTokenPages = (pages: Pages, parts: Parts): void => {
  const tab = {
    name: TOKENS_TAB,
    label: 'Deploy tokens',
    to: 'settings/deploy_tokens',
    order: 78,
    within: 'settings',
    signedIn: true,
  } as const;
  pages.tabs.addToProjects({ ...tab, permission: 'manage_deploy_tokens' });
  pages.tabs.addToGroups({ ...tab, permission: 'manage_group_deploy_tokens' });
  const collections: readonly Collection[] = [
    { path: PATHS.ofGroup, find: ofGroup(parts) },
    { path: PATHS.ofProject, find: ofProject(parts) },
  ];
  for (const collection of collections) {
    addList(pages, parts, collection);
    addRevocation(pages, parts, collection);
  }
};

const withUsername = (cloneUrl: string, username: string): string => {
  const url = new URL(cloneUrl);
  url.username = username;
  return url.href;
};

/** What was made a moment ago, unless it is gone again. */
const takeNew = async (
  { deployTokenReader, flash }: Parts,
  { browser, request, response }: PageContext,
  { place, cloneUrl }: TokenPlace,
): Promise<NewToken | undefined> => {
  const [id, secret] = flash.take(request, response, actorOf(browser).id);
  if (id === undefined || secret === undefined) return undefined;
  const token = await deployTokenReader.find(place, idIn(id));
  if (token === undefined) return undefined;
  const { username, scopes } = token;
  if (!scopes.includes('read_repository')) return { username, secret };
  // Git asks for the password, so that the token is in no history of a shell and no configuration.
  return { username, secret, command: `git clone ${withUsername(cloneUrl, username)}` };
};

const show = async (parts: Parts, context: PageContext, place: TokenPlace, refusal: Refusal): Promise<void> => {
  const newToken = await takeNew(parts, context, place);
  if (newToken !== undefined) allowLiveScript(context.response);
  const request = pageRequest(context);
  const now = parts.clock.now();
  const page = await parts.deployTokenReader.list({ place: place.place, now, page: request });
  await place.send('deploy/tokens', {
    title: `Deploy tokens of ${place.name}`,
    address: place.address,
    kind: place.place.kind,
    newToken,
    copies: newToken !== undefined,
    tokens: page.items.map((token) => ({ ...token, expired: isExpired(token, now) })),
    page,
    request,
    scopes: SCOPES,
    ofContainers: OF_CONTAINERS,
    fieldLabels: { username: 'user name', expires_at: 'expiry' },
    form: typed(context, { name: '', username: '', expires_at: '' }),
    chosen: typedList(context, 'scopes', ['read_repository']),
    ...refusal,
  });
};

const addList = (pages: Pages, parts: Parts, { path, find }: Collection): void =>
  addFormPage<TokenPlace>(pages, {
    path,
    find,
    show: (context, place, refusal) => show(parts, context, place, refusal),
    act: async ({ browser, request, response }, { holder, address }) => {
      const wanted = {
        name: field(request, 'name').trim(),
        username: field(request, 'username').trim(),
        scopes: fields(request, 'scopes'),
        expiresAt: field(request, 'expires_at'),
      };
      const { id, name, secret } = await parts.deployTokens.create(holder, wanted, 'refused');
      parts.flash.put(response, actorOf(browser).id, [String(id), secret], address);
      return { notice: `Deploy token “${name}” made.`, to: address };
    },
  });

const addRevocation = (pages: Pages, parts: Parts, { path, find }: Collection): void => {
  interface Found {
    readonly place: TokenPlace;
    readonly token: DeployToken;
  }
  addRemovalPage<Found>(pages, {
    path: `${path}/:id/revoke`,
    find: async (context) => {
      const place = await find(context);
      const token = await parts.deployTokenReader.find(place.place, pathNumber(context.request));
      return { place, token: orNotFound(token, 'Deploy Token') };
    },
    ask: async (_context, { place: { address, frame }, token: { name } }) => ({
      title: `Revoke the deploy token ${name}?`,
      consequences: ['Machines that use it are refused at once.', 'It can’t be brought back; a new one can be made.'],
      button: 'Revoke token',
      cancel: address,
      frame: await frame(),
    }),
    act: async (_context, { place: { holder, address }, token: { id, name } }) => {
      await parts.deployTokens.remove(holder, id);
      return { notice: `Deploy token “${name}” revoked.`, to: address };
    },
  });
};

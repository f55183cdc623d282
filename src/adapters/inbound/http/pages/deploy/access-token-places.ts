import { placeOfTokens, type AccessTokenHolder } from '../../../../../application/keys/access-tokens.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import type { BotPlace } from '../../../../../domain/identity/bot.js';
import type { PlaceFrame } from '../frame/places.js';
import { sendGroupPage, sendProjectPage } from '../frame/send-place-page.js';
import type { PageContext } from '../page-context.js';
import { actorFor } from '../page-request.js';
import { joinedPath } from '../project-path.js';
import { projectOfPage } from '../project-of-page.js';
import type { PageData } from '../render.js';

/** A project or a group, as the pages of its access tokens need it. */
export interface AccessTokenPlace {
  readonly holder: AccessTokenHolder;
  readonly place: BotPlace;
  readonly name: string;
  /** Of its list of tokens. */
  readonly address: string;
  readonly send: (template: string, data: PageData) => Promise<void>;
  readonly frame: () => Promise<PlaceFrame>;
}

interface Parts {
  readonly access: WorkspaceAccess;
}

export const ACCESS_TOKENS_TAB = 'access-tokens';
const BELOW = '-/settings/access_tokens';

export const tokensOfProject =
  ({ access }: Parts) =>
  async (context: PageContext): Promise<AccessTokenPlace> => {
    const holder = await projectOfPage(access, context, 'manage_access_tokens');
    const { name, fullPath } = holder.project;
    return {
      holder,
      place: placeOfTokens(holder),
      name,
      address: `/${fullPath}/${BELOW}`,
      send: (template, data) => sendProjectPage(context, holder, template, { ...data, tab: ACCESS_TOKENS_TAB }),
      frame: () => context.places.ofProject(context.browser, holder, ACCESS_TOKENS_TAB),
    };
  };

export const tokensOfGroup =
  ({ access }: Parts) =>
  async (context: PageContext): Promise<AccessTokenPlace> => {
    const { browser, request, places } = context;
    const holder = await access.group(actorFor(browser), joinedPath(request), 'manage_group_access_tokens');
    const { name, fullPath } = holder.group;
    return {
      holder,
      place: placeOfTokens(holder),
      name,
      address: `/groups/${fullPath}/${BELOW}`,
      send: (template, data) => sendGroupPage(context, holder, template, { ...data, tab: ACCESS_TOKENS_TAB }),
      frame: () => places.ofGroup(browser, holder, ACCESS_TOKENS_TAB),
    };
  };

export const ACCESS_TOKEN_PATHS = { ofProject: `/*path/${BELOW}`, ofGroup: `/groups/*path/${BELOW}` } as const;

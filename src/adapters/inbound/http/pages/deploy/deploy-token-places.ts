import { placeOf, type TokenHolder } from '../../../../../application/keys/deploy-tokens.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import type { DeployTokenPlace } from '../../../../../domain/keys/deploy-token.js';
import type { WebUrls } from '../../web-urls.js';
import type { PlaceFrame } from '../frame/places.js';
import { sendGroupPage, sendProjectPage } from '../frame/send-place-page.js';
import type { PageContext } from '../page-context.js';
import { actorFor } from '../page-request.js';
import type { PageData } from '../render.js';
import { joinedPath } from '../project-path.js';
import { projectOfPage } from '../project-of-page.js';

export interface DeployTokenPlacesParts {
  readonly access: WorkspaceAccess;
  readonly urls: WebUrls;
}
type Parts = DeployTokenPlacesParts;

/** A project or a group, as the pages of its deploy tokens need it. */
export interface TokenPlace {
  readonly holder: TokenHolder;
  readonly place: DeployTokenPlace;
  readonly name: string;
  /** Of its list of tokens. */
  readonly address: string;
  /** What git clones from; below a group a project is still to be named. */
  readonly cloneUrl: string;
  readonly send: (template: string, data: PageData) => Promise<void>;
  readonly frame: () => Promise<PlaceFrame>;
}

export const TOKENS_TAB = 'deploy-tokens';
const BELOW = '-/settings/deploy_tokens';

export const ofProject =
  ({ access, urls }: Parts) =>
  async (context: PageContext): Promise<TokenPlace> => {
    const { browser, places } = context;
    const holder = await projectOfPage(access, context, 'manage_deploy_tokens');
    const { name, fullPath } = holder.project;
    return {
      holder,
      place: placeOf(holder),
      name,
      address: `/${fullPath}/${BELOW}`,
      cloneUrl: urls.cloneByHttp(fullPath),
      send: (template, data) => sendProjectPage(context, holder, template, { ...data, tab: TOKENS_TAB }),
      frame: () => places.ofProject(browser, holder, TOKENS_TAB),
    };
  };

export const ofGroup =
  ({ access, urls }: Parts) =>
  async (context: PageContext): Promise<TokenPlace> => {
    const { browser, request, places } = context;
    const holder = await access.group(actorFor(browser), joinedPath(request), 'manage_group_deploy_tokens');
    const { name, fullPath } = holder.group;
    return {
      holder,
      place: placeOf(holder),
      name,
      address: `/groups/${fullPath}/${BELOW}`,
      cloneUrl: urls.cloneByHttp(`${fullPath}/PROJECT`),
      send: (template, data) => sendGroupPage(context, holder, template, { ...data, tab: TOKENS_TAB }),
      frame: () => places.ofGroup(browser, holder, TOKENS_TAB),
    };
  };

export const PATHS = { ofProject: `/*path/${BELOW}`, ofGroup: `/groups/*path/${BELOW}` } as const;

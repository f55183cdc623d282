import type { BadgeHolder } from '../../../../../application/badges/badges.js';
import type { BadgesOf } from '../../../../../application/badges/ports/badge-ports.js';
import { asWritten, type RenderBadges, type RenderedUrls } from '../../../../../application/badges/render-badges.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import type { Badge } from '../../../../../domain/badges/badge.js';
import type { PlaceFrame } from '../frame/places.js';
import { sendGroupPage, sendProjectPage } from '../frame/send-place-page.js';
import type { PageContext } from '../page-context.js';
import { actorFor } from '../page-request.js';
import { joinedPath } from '../project-path.js';
import { projectOfPage } from '../project-of-page.js';
import type { PageData } from '../render.js';

export interface BadgePlacesParts {
  readonly access: WorkspaceAccess;
  readonly renderBadges: RenderBadges;
}
type Parts = BadgePlacesParts;

/** A project or a group, as the pages of its badges need it. */
export interface BadgesPlace {
  readonly holder: BadgeHolder;
  readonly kind: 'project' | 'group';
  readonly of: BadgesOf;
  readonly name: string;
  /** Of its list of badges. */
  readonly address: string;
  readonly render: (badges: readonly Badge[]) => Promise<readonly (Badge & RenderedUrls)[]>;
  readonly send: (template: string, data: PageData) => Promise<void>;
  readonly frame: () => Promise<PlaceFrame>;
}

export const BADGES_TAB = 'badges';
const BELOW = '-/settings/badges';

const ofProject =
  ({ access, renderBadges }: Parts) =>
  async (context: PageContext): Promise<BadgesPlace> => {
    const holder = await projectOfPage(access, context, 'manage_badges');
    const { project } = holder;
    return {
      holder,
      kind: 'project',
      of: { projectId: project.id, namespaceId: project.namespace.id },
      name: project.name,
      address: `/${project.fullPath}/${BELOW}`,
      render: (badges) => {
        const readsCode = access.alsoWhere(actorFor(context.browser), holder, 'read_code') !== undefined;
        return renderBadges.forProject(project, readsCode, badges);
      },
      send: (template, data) => sendProjectPage(context, holder, template, { ...data, tab: BADGES_TAB }),
      frame: () => context.places.ofProject(context.browser, holder, BADGES_TAB),
    };
  };

const ofGroup =
  ({ access }: Parts) =>
  async (context: PageContext): Promise<BadgesPlace> => {
    const { browser, request, places } = context;
    const holder = await access.group(actorFor(browser), joinedPath(request), 'manage_group_badges');
    const { group } = holder;
    return {
      holder,
      kind: 'group',
      of: { groupId: group.id },
      name: group.name,
      address: `/groups/${group.fullPath}/${BELOW}`,
      render: (badges) => Promise.resolve(badges.map(asWritten)),
      send: (template, data) => sendGroupPage(context, holder, template, { ...data, tab: BADGES_TAB }),
      frame: () => places.ofGroup(browser, holder, BADGES_TAB),
    };
  };

/** The same pages for groups and for projects, in the order in which their addresses are matched. */
export interface BadgesCollection {
  readonly path: string;
  readonly find: (context: PageContext) => Promise<BadgesPlace>;
}

export const collectionsOf = (parts: Parts): readonly BadgesCollection[] => [
  { path: `/groups/*path/${BELOW}`, find: ofGroup(parts) },
  { path: `/*path/${BELOW}`, find: ofProject(parts) },
];

import type { ManagerOfMembers, ViewerOfMembers } from '../../../../../application/workspace/members.js';
import type { MemberQuery, MemberProfile } from '../../../../../application/workspace/ports/workspace-readers.js';
import {
  ACCESS_LEVEL_NAMES,
  GROUP_MEMBER_LEVELS,
  PROJECT_MEMBER_LEVELS,
  type AccessLevel,
} from '../../../../../domain/shared/access-level.js';
import type { Page } from '../../../../../domain/shared/page.js';
import { GROUP_PERMISSIONS, isOffered } from '../../../../../domain/workspace/workspace-policy.js';
import { sendGroupPage, sendProjectPage } from '../frame/send-place-page.js';
import type { PlaceFrame } from '../frame/places.js';
import type { PageContext } from '../page-context.js';
import { actorFor, pageRequest } from '../page-request.js';
import type { PageData } from '../render.js';
import { projectOfPage } from '../project-of-page.js';
import { joinedPath } from '../project-path.js';
import type { WorkspacePagesParts } from './workspace-pages-parts.js';

export type Place = ManagerOfMembers | ViewerOfMembers;

/** Projects and groups have their members at like addresses. */
export interface PlaceOfMembers {
  readonly path: string;
  readonly view: (context: PageContext) => Promise<ViewerOfMembers>;
  readonly manage: (context: PageContext) => Promise<ManagerOfMembers>;
  readonly levels: readonly number[];
}

const PATH = 'members';

export const placesOfMembers = ({ access }: WorkspacePagesParts): readonly PlaceOfMembers[] => [
  {
    path: `/groups/*path/-/${PATH}`,
    view: ({ browser, request }) => access.group(actorFor(browser), joinedPath(request), 'read_group'),
    manage: ({ browser, request }) => access.group(actorFor(browser), joinedPath(request), 'manage_group_members'),
    levels: GROUP_MEMBER_LEVELS,
  },
  {
    path: `/*path/-/${PATH}`,
    view: (context) => projectOfPage(access, context, 'read_project'),
    manage: (context) => projectOfPage(access, context, 'manage_project_members'),
    levels: PROJECT_MEMBER_LEVELS,
  },
];

export const levelName = (level: number): string => ACCESS_LEVEL_NAMES[level as AccessLevel];

/** Nobody gives away a level above their own. */
export const rolesUpTo = (levels: readonly number[], { level }: Pick<ManagerOfMembers, 'level'>) =>
  levels.filter((each) => each <= level).map((each) => [each, levelName(each)] as const);

export const homeOf = (place: Place): string =>
  'project' in place ? `/${place.project.fullPath}` : `/groups/${place.group.fullPath}`;

export const addressOfMembers = (place: Place): string => `${homeOf(place)}/-/${PATH}`;

/** Who was invited by mail and has not accepted yet. */
export const addressOfInvitations = (place: Place): string => `${homeOf(place)}/-/invitations`;

export const nameOf = (place: Place): string => ('project' in place ? place.project.name : place.group.name);

export const mayManage = (place: Place): boolean =>
  'project' in place
    ? isOffered(place.project, place.level, 'manage_project_members')
    : place.level >= GROUP_PERMISSIONS.manage_group_members;

type Asked = Omit<MemberQuery, 'viewer' | 'page'>;

export const readMembers = (
  { access, reader }: WorkspacePagesParts,
  context: PageContext,
  place: Place,
  asked: Asked,
): Promise<Page<MemberProfile>> => {
  // What names somebody is no list to turn pages of.
  const page = asked.userIds === undefined ? pageRequest(context) : { page: 1, perPage: asked.userIds.length };
  const query = { viewer: access.viewer(actorFor(context.browser)), ...asked, page };
  return 'project' in place
    ? reader.projectMembers(place.project.id, query)
    : reader.groupMembers(place.group.id, query);
};

export const frameOf = ({ browser, places }: PageContext, place: Place): Promise<PlaceFrame> =>
  'project' in place ? places.ofProject(browser, place, 'members') : places.ofGroup(browser, place, 'members');

export const sendMemberPage = (context: PageContext, place: Place, template: string, data: PageData): Promise<void> => {
  const shown = { ...data, tab: 'members', address: addressOfMembers(place) };
  return 'project' in place
    ? sendProjectPage(context, place, template, shown)
    : sendGroupPage(context, place, template, shown);
};

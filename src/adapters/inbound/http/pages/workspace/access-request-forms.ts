import type { PermittedGroup, PermittedProject } from '../../../../../application/shared/permitted.js';
import { requestedPlace, type AccessRequests } from '../../../../../application/workspace/access-requests.js';
import type { AccessRequestReader } from '../../../../../application/workspace/ports/access-requests.js';
import { BadRequest, NotFound } from '../../../../../domain/shared/domain-error.js';
import { identifierIn, type UserId } from '../../../../../domain/shared/identifiers.js';
import { mayRequestAccess } from '../../../../../domain/workspace/access-request.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { field, fieldNumber } from '../form-fields.js';
import { refusalOf } from '../frame/form-page.js';
import { tell } from '../frame/notice.js';
import type { PageContext } from '../page-context.js';
import type { Pages } from '../page.js';
import { actorOf } from '../page-session.js';
import { joinedPath } from '../project-path.js';
import { projectOfPage } from '../project-of-page.js';
import {
  addressOfMembers,
  homeOf,
  levelName,
  mayManage,
  nameOf,
  placesOfMembers,
  rolesUpTo,
  type Place,
  type PlaceOfMembers,
} from './place-of-members.js';
import type { WorkspacePagesParts } from './workspace-pages-parts.js';

export type AccessRequestPagesParts = WorkspacePagesParts & {
  readonly accessRequests: AccessRequests;
  readonly accessRequestReader: AccessRequestReader;
};

const PATH = 'access_requests';
/** Of the requests on the page of the members: the others are shown once these are decided. */
const SHOWN = { page: 1, perPage: 20 };

/** Does it, and says on the page that follows what was done, or why not. */
const doAndTell = async ({ response, browser }: PageContext, to: string, act: () => Promise<string>): Promise<void> => {
  try {
    tell(response, browser, await act());
  } catch (error) {
    const problem = error instanceof NotFound ? 'There is no such request any more.' : refusalOf(error)?.problem;
    if (problem === undefined) throw error;
    tell(response, browser, problem);
  }
  response.redirect(303, to);
};

/** What the page of a place offers who has no access there: to ask for it, or to take that back. */
export const askingAt = async (
  { access, accessRequestReader }: AccessRequestPagesParts,
  { browser }: PageContext,
  place: PermittedProject<'read_project'> | PermittedGroup<'read_group'>,
): Promise<'may_ask' | 'has_asked' | undefined> => {
  if (browser.user === undefined || place.level > 0) return undefined;
  const actor = actorOf(browser);
  if ((await accessRequestReader.find(requestedPlace(place), actor.id)) !== undefined) return 'has_asked';
  const { requestAccessEnabled } = 'project' in place ? place.project : place.group;
  const isOpen = !('project' in place) || access.alsoWhere(actor, place, 'request_access') !== undefined;
  return isOpen && mayRequestAccess({ level: place.level, requestAccessEnabled }) ? 'may_ask' : undefined;
};

/** Who asks to be a member, for who may say yes or no. */
export const requestsAt = async (
  { accessRequestReader }: AccessRequestPagesParts,
  place: Place,
  levels: readonly number[],
) => {
  if (!mayManage(place)) return undefined;
  const { items, hasNext } = await accessRequestReader.list(requestedPlace(place), SHOWN);
  return { items, hasNext, roles: rolesUpTo(levels, place) };
};

/** The buttons by which people ask for access to projects and groups, and those by which that is decided. */
export const addAccessRequestForms = (pages: Pages, parts: AccessRequestPagesParts): void => {
  const { access } = parts;
  addAsking(pages, parts, `/groups/*path/-/${PATH}`, ({ browser, request }) =>
    access.group(actorOf(browser), joinedPath(request), 'read_group'),
  );
  addAsking(pages, parts, `/*path/-/${PATH}`, (context) => projectOfPage(access, context, 'read_project'));
  for (const placed of placesOfMembers(parts)) addDecision(pages, parts, placed);
};

type Viewed = PermittedProject<'read_project'> | PermittedGroup<'read_group'>;

const addAsking = (
  pages: Pages,
  { access, accessRequests }: AccessRequestPagesParts,
  path: string,
  find: (context: PageContext) => Promise<Viewed>,
): void => {
  pages.post(path, 'signed_in', async (context) => {
    const place = await find(context);
    const actor = actorOf(context.browser);
    await doAndTell(context, homeOf(place), async () => {
      if (field(context.request, 'wanted') === 'true') {
        await accessRequests.ask(actor, 'project' in place ? access.also(actor, place, 'request_access') : place);
        return `You asked for access to ${nameOf(place)}.`;
      }
      await accessRequests.withdraw(actor, place);
      return `You withdrew your request for access to ${nameOf(place)}.`;
    });
  });

  // Somebody who signs in again, or reloads what the form led to, comes this way.
  pages.get(path, 'signed_in', async (context) => {
    context.response.redirect(303, homeOf(await find(context)));
  });
};

const addDecision = (
  pages: Pages,
  { users, accessRequests }: AccessRequestPagesParts,
  placed: PlaceOfMembers,
): void => {
  pages.post(`${placed.path}/requests/:id`, 'signed_in', async (context) => {
    const { browser, request } = context;
    const manager = await placed.manage(context);
    const actor = actorOf(browser);
    const userId = orNotFound(identifierIn<UserId>(String(request.params['id'])));
    const decision = field(request, 'decision');
    await doAndTell(context, addressOfMembers(manager), async () => {
      const name = (await users.find(userId))?.name ?? 'They';
      if (decision === 'approve') {
        const accessLevel = fieldNumber(request, 'access_level');
        await accessRequests.approve(manager, actor, { userId, accessLevel });
        return `${name} is now a ${levelName(accessLevel)}.`;
      }
      if (decision !== 'deny') throw new BadRequest('A request is approved or denied');
      await accessRequests.deny(manager, actor, userId);
      return `The request of ${name} was denied.`;
    });
  });
};

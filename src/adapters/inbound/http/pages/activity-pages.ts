import type {
  ActivityQuery,
  ActivityReader,
  QueryOfAuthor,
} from '../../../../application/activity/ports/activity-reader.js';
import type { UserProfile, UserReader } from '../../../../application/identity/ports/identity-readers.js';
import { together } from '../../../../application/shared/together.js';
import type { Clock } from '../../../../application/shared/ports/clock.js';
import type { WorkspaceAccess } from '../../../../application/workspace/workspace-access.js';
import { keptSince, onDay } from '../../../../domain/activity/event-filter.js';
import { isCalendarDay } from '../../../../domain/shared/calendar-day.js';
import { NotFound } from '../../../../domain/shared/domain-error.js';
import { itemsOf } from '../../../../application/shared/page-in-batches.js';
import type { Cursors } from '../pagination/cursor.js';
import { isStorable } from '../validation/storable-text.js';
import { sentenceOf } from './activity-sentence.js';
import { activityYear, beginOfYear, type ActivityYear } from './activity-year.js';
import type { PageContext, Pages } from './page.js';
import { joinedPath, projectPath } from './project-path.js';
import { sendPage } from './render.js';
import { sendGroupPage, sendProjectPage } from './frame/send-place-page.js';
import { actorFor, queryText } from './page-request.js';

export interface ActivityPagesParts {
  readonly access: WorkspaceAccess;
  readonly users: UserReader;
  readonly activityReader: ActivityReader;
  readonly cursors: Cursors;
  readonly clock: Clock;
  readonly retentionDays: number | undefined;
}

const PER_PAGE = 20;
/** As many entries of a year as are counted: whether somebody sees one is asked of each. */
const MOST_COUNTED = 5_000;
/** Whose cursors those of a visitor are that nobody knows: no user has this number. */
const NOBODY = 0;

/** What a person did, or what happened in a project or a group, as far as whoever looks may see it. */
export const addActivityPages = (pages: Pages, parts: ActivityPagesParts): void => {
  addActivityOfPerson(pages, parts);
  addActivityOfGroup(pages, parts);
  addActivityOfProject(pages, parts);
};

/** The day (UTC) whose entries an address asks for; none where it names no day. */
const askedDay = (context: PageContext): string | undefined => {
  const day = queryText(context, 'day');
  return isCalendarDay(day) ? day : undefined;
};

/** A year at a glance, and the feed itself, or the entries of one day. */
const addActivityOfPerson = (pages: Pages, parts: ActivityPagesParts): void => {
  const { access, users, activityReader, clock, retentionDays } = parts;

  const find = async (username: string): Promise<UserProfile> => {
    const person = isStorable(username) ? await users.findByUsername(username) : undefined;
    if (person === undefined) throw new NotFound('User');
    return person;
  };

  const yearOf = async (query: QueryOfAuthor, now: Date): Promise<ActivityYear> => {
    const { from } = query.filter;
    const begin = beginOfYear(now);
    const filter = { from: from > begin ? from : begin };
    return activityYear(now, await activityReader.countByDay({ ...query, filter }, MOST_COUNTED));
  };

  pages.get('/users/:username/activity', 'anyone', async (context) => {
    const { browser, request, response } = context;
    const person = await find(String(request.params['username']));
    const now = clock.now();
    const day = askedDay(context);
    const keptFrom = keptSince(now, retentionDays);
    const query: QueryOfAuthor = {
      viewer: access.viewer(actorFor(browser)),
      feed: { kind: 'author', authorId: person.id },
      filter: { from: keptFrom },
      sort: 'desc',
    };
    const filter = day === undefined ? query.filter : onDay(keptFrom, day);
    const [shown, year] = await together([
      readSlice(parts, context, `page of ${person.id} ${day ?? ''}`, { ...query, filter }),
      isNewest(context) ? yearOf(query, now) : Promise.resolve(undefined),
    ]);
    sendPage(response, browser, 'activity', {
      title: `Activity of ${person.name}`,
      person,
      day,
      ...shown,
      year,
      countLimit: MOST_COUNTED,
    });
  });
};

const TAB = { name: 'activity', label: 'Activity', to: 'activity', order: 90 };

const addActivityOfGroup = (pages: Pages, parts: ActivityPagesParts): void => {
  pages.tabs.addToGroups({ ...TAB, permission: 'read_group' });

  pages.get('/groups/*path/-/activity', 'anyone', async (context) => {
    const actor = actorFor(context.browser);
    const place = await parts.access.group(actor, joinedPath(context.request), 'read_group');
    const { id, name, fullPath } = place.group;
    const query: ActivityQuery = {
      viewer: parts.access.viewer(actor),
      feed: { kind: 'group', groupId: id },
      filter: { from: keptSince(parts.clock.now(), parts.retentionDays) },
      sort: 'desc',
    };
    const shown = await readSlice(parts, context, `page of group ${id}`, query);
    await sendGroupPage(context, place, 'activity-of-place', {
      tab: TAB.name,
      title: `Activity of ${name}`,
      address: `/groups/${fullPath}/-/activity`,
      ...shown,
    });
  });
};

const addActivityOfProject = (pages: Pages, parts: ActivityPagesParts): void => {
  pages.tabs.addToProjects({ ...TAB, permission: 'read_project' });

  pages.get('/*path/-/activity', 'anyone', async (context) => {
    const actor = actorFor(context.browser);
    const place = await parts.access.project(actor, projectPath(context.request), 'read_project');
    const { project, level } = place;
    const query: ActivityQuery = {
      viewer: parts.access.viewer(actor),
      feed: { kind: 'project', projectId: project.id, level },
      filter: { from: keptSince(parts.clock.now(), parts.retentionDays) },
      sort: 'desc',
    };
    const shown = await readSlice(parts, context, `page of project ${project.id}`, query);
    await sendProjectPage(context, place, 'activity-of-place', {
      tab: TAB.name,
      title: `Activity of ${project.name}`,
      address: `/${project.fullPath}/-/activity`,
      ...shown,
    });
  });
};

const isNewest = ({ request }: PageContext): boolean => request.query['cursor'] === undefined;

/** The entries of a page, as sentences. */
const readSlice = async (
  { activityReader, cursors }: ActivityPagesParts,
  context: PageContext,
  list: string,
  query: ActivityQuery,
) => {
  const caller = context.browser.user?.id ?? NOBODY;
  const { cursor } = context.request.query;
  const after = cursor === undefined ? undefined : cursors.open(typeof cursor === 'string' ? cursor : '', list, caller);
  const { batches, hasNext, last } = await activityReader.listAfter(query, after, PER_PAGE);
  const events = await itemsOf(batches);
  const standing = await activityReader.standing(query.viewer, events);
  return {
    sentences: events.map((event) => ({ ...sentenceOf(event, standing), person: event.author })),
    older: hasNext && last !== undefined ? cursors.seal(last, list, caller) : undefined,
    newest: isNewest(context),
  };
};

import type {
  ActivityQuery,
  ActivityReader,
  ActivitySlice,
  QueryOfAuthor,
} from '../../../../application/activity/ports/activity-reader.js';
import type { UserProfile, UserReader } from '../../../../application/identity/ports/identity-readers.js';
import type { Clock } from '../../../../application/shared/ports/clock.js';
import type { WorkspaceAccess } from '../../../../application/workspace/workspace-access.js';
import { keptSince } from '../../../../domain/activity/event-filter.js';
import { NotFound } from '../../../../domain/shared/domain-error.js';
import { itemsOf } from '../../../../application/shared/page-in-batches.js';
import { COUNT_LIMIT } from '../../../../domain/shared/page.js';
import type { Cursors } from '../pagination/cursor.js';
import { isStorable } from '../validation/storable-text.js';
import { sentenceOf } from './activity-sentence.js';
import { activityYear, beginOfYear, type ActivityYear } from './activity-year.js';
import type { PageContext, Pages } from './page.js';
import { sendPage } from './render.js';
import { actorFor } from './workspace-pages.js';

export interface ActivityPagesParts {
  readonly access: WorkspaceAccess;
  readonly users: UserReader;
  readonly activityReader: ActivityReader;
  readonly cursors: Cursors;
  readonly clock: Clock;
  readonly retentionDays: number | undefined;
}

const PER_PAGE = 20;
/** Whose cursors those of a visitor are that nobody knows: no user has this number. */
const NOBODY = 0;

/** What a person did, as far as whoever looks may see it: a year at a glance, and the feed itself. */
export const addActivityPages = (pages: Pages, parts: ActivityPagesParts): void => {
  const { access, users, activityReader, cursors, clock, retentionDays } = parts;

  const find = async (username: string): Promise<UserProfile> => {
    const person = isStorable(username) ? await users.findByUsername(username) : undefined;
    if (person === undefined) throw new NotFound('User');
    return person;
  };

  const yearOf = async (query: QueryOfAuthor, now: Date): Promise<ActivityYear> => {
    const { from } = query.filter;
    const begin = beginOfYear(now);
    const filter = { from: from > begin ? from : begin };
    return activityYear(now, await activityReader.countByDay({ ...query, filter }, COUNT_LIMIT));
  };

  const readSlice = async (
    { browser, request }: PageContext,
    person: UserProfile,
    query: ActivityQuery,
  ): Promise<ActivitySlice & { readonly older: string | undefined }> => {
    const [list, caller] = [`page of ${person.id}`, browser.user?.id ?? NOBODY];
    const { cursor } = request.query;
    const after =
      cursor === undefined ? undefined : cursors.open(typeof cursor === 'string' ? cursor : '', list, caller);
    const slice = await activityReader.listAfter(query, after, PER_PAGE);
    const { hasNext, last } = slice;
    return { ...slice, older: hasNext && last !== undefined ? cursors.seal(last, list, caller) : undefined };
  };

  pages.get('/users/:username/activity', 'anyone', async (context) => {
    const { browser, request, response } = context;
    const person = await find(String(request.params['username']));
    const now = clock.now();
    const query: QueryOfAuthor = {
      viewer: access.viewer(actorFor(browser)),
      feed: { kind: 'author', authorId: person.id },
      filter: { from: keptSince(now, retentionDays) },
      sort: 'desc',
    };
    const { batches, older } = await readSlice(context, person, query);
    const events = await itemsOf(batches);
    const standing = await activityReader.standing(events);
    const newest = request.query['cursor'] === undefined;
    sendPage(response, browser, 'activity', {
      title: `Activity of ${person.name}`,
      person,
      sentences: events.map((event) => sentenceOf(event, standing)),
      older,
      newest,
      year: newest ? await yearOf(query, now) : undefined,
      countLimit: COUNT_LIMIT,
    });
  });
};

import type { Position } from '../../../../../application/activity/ports/activity-reader.js';
import type { Session } from '../session.js';
import { sql } from '../sql.js';
import { inOrder, source, wanted, type Place } from './feed-sql.js';
import { GatheredPlaces } from './gathered-places.js';
import type { Limits } from './limits.js';
import { NextPlaces, type Next } from './next-places.js';
import { PlacesByFeed } from './places-by-feed.js';
import type { Search } from './search.js';
import { feedsOf, issuesAsParty, seesAsParty } from './sight.js';

/** How many entries a statement reads: each number is a statement of its own that connections keep. */
export const COUNTS = [2, 11, 21, 51, 101];

/**
 * Finds entries by their indexes alone (`docs/performance.md`). Where neither the next entries of everybody nor what is gathered of all
 * feeds has a page, it is read in two steps: it lies, of n entries, within the n feeds whose newest entries are the newest.
 */
export class FeedPlaces {
  readonly #next: NextPlaces;
  readonly #gathered: GatheredPlaces;
  readonly #byFeed: PlacesByFeed;

  constructor(
    private readonly session: Session,
    private readonly limits: Limits,
  ) {
    this.#next = new NextPlaces(session, limits);
    this.#gathered = new GatheredPlaces(session, limits);
    this.#byFeed = new PlacesByFeed(session);
  }

  /** At most `count` that come next. */
  async find(search: Search): Promise<readonly Place[]> {
    const { count } = search;
    const enough = COUNTS.find((each) => each >= count) ?? count;
    return (await this.#enough({ ...search, count: enough })).slice(0, count);
  }

  async #enough(search: Search): Promise<readonly Place[]> {
    const { sight } = search;
    const few = sight.complete && sight.count <= this.limits.fewFeeds;
    const next = few ? undefined : await this.#next.find(search);
    if (next?.page !== undefined) return next.page;
    const whole = await (next === undefined
      ? this.#byFeed.ofFeeds(search, feedsOf(sight))
      : this.#ofMany(search, next));
    const asParty = sight.isParty ? await this.#asParty(search) : [];
    return this.#merged(search, [...whole, ...asParty]);
  }

  async #ofMany(search: Search, { near }: Next): Promise<readonly Place[]> {
    const gathered = search.sight.complete ? await this.#gathered.find(search, near) : undefined;
    return gathered ?? this.#byFeed.ofFeeds(search, await this.#byFeed.newestFeeds(search));
  }

  /** What the viewer sees of confidential issues because he has to do with them. */
  #asParty({ query, sight, after, count }: Search): Promise<readonly Place[]> {
    const { dialect } = this.session;
    const { text, bindings } = sql`select e.id, e.created_at from activity_events e
      where e.issue_id in (${issuesAsParty(sight.viewer)}) and ${source(query)} and ${wanted(query, after, dialect)}
        and ${seesAsParty('e', sight, dialect)}
      ${inOrder(query)} limit ${count}`;
    return this.session.runPlannedAnew<Place>(text, bindings);
  }

  #merged({ query, count }: Search, places: readonly Place[]): readonly Place[] {
    const distinct = [...new Map(places.map((place) => [place.id, place])).values()];
    const direction = query.sort === 'desc' ? -1 : 1;
    const timeOf = (place: Place): number => positionOf(this.session, place).createdAt.getTime();
    return distinct
      .sort((one, other) => direction * (timeOf(one) - timeOf(other) || one.id - other.id))
      .slice(0, count);
  }
}

export const positionOf = ({ dialect }: Session, { id, created_at }: Place): Position => ({
  id,
  createdAt: dialect.readInstant(created_at),
});

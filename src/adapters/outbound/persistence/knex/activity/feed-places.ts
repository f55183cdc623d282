import type { Position } from '../../../../../application/activity/ports/activity-reader.js';
import type { Session } from '../session.js';
import { sql } from '../sql.js';
import { inOrder, source, wanted, type Place } from './feed-sql.js';
import { GatheredPlaces } from './gathered-places.js';
import type { Thresholds } from './thresholds.js';
import { NextPlaces, type Next } from './next-places.js';
import { PlacesByFeed } from './places-by-feed.js';
import type { PageQuery } from './page-query.js';
import { feedsOf, issuesAsParty, seesAsParty } from './visible-feeds.js';

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
    private readonly thresholds: Thresholds,
  ) {
    this.#next = new NextPlaces(session, thresholds);
    this.#gathered = new GatheredPlaces(session, thresholds);
    this.#byFeed = new PlacesByFeed(session);
  }

  /** At most `count` that come next. */
  async find(pageQuery: PageQuery): Promise<readonly Place[]> {
    const { count } = pageQuery;
    const enough = COUNTS.find((each) => each >= count) ?? count;
    return (await this.#enough({ ...pageQuery, count: enough })).slice(0, count);
  }

  async #enough(pageQuery: PageQuery): Promise<readonly Place[]> {
    const { visibleFeeds } = pageQuery;
    const few = visibleFeeds.complete && visibleFeeds.count <= this.thresholds.fewFeeds;
    const next = few ? undefined : await this.#next.find(pageQuery);
    if (next?.page !== undefined) return next.page;
    const whole = await (next === undefined
      ? this.#byFeed.ofFeeds(pageQuery, feedsOf(visibleFeeds))
      : this.#ofMany(pageQuery, next));
    const asParty = visibleFeeds.isParty ? await this.#asParty(pageQuery) : [];
    return this.#merged(pageQuery, [...whole, ...asParty]);
  }

  async #ofMany(pageQuery: PageQuery, { near }: Next): Promise<readonly Place[]> {
    const gathered = pageQuery.visibleFeeds.complete ? await this.#gathered.find(pageQuery, near) : undefined;
    return gathered ?? this.#byFeed.ofFeeds(pageQuery, await this.#byFeed.newestFeeds(pageQuery));
  }

  /** What the viewer sees of confidential issues because they have to do with them. */
  #asParty({ query, visibleFeeds, after, count }: PageQuery): Promise<readonly Place[]> {
    const { dialect } = this.session;
    const { text, bindings } = sql`select e.id, e.created_at from activity_events e
      where e.subject_id in (${issuesAsParty(visibleFeeds.viewer)}) and ${source(query)} and ${wanted(query, after, dialect)}
        and ${seesAsParty('e', visibleFeeds, dialect)}
      ${inOrder(query)} limit ${count}`;
    return this.session.runPlannedAnew<Place>(text, bindings);
  }

  #merged({ query, count }: PageQuery, places: readonly Place[]): readonly Place[] {
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

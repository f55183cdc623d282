import type { ActivityQuery, Position } from '../../../../../application/activity/ports/activity-reader.js';
import type { Session } from '../session.js';
import {
  bind,
  entriesOf,
  feedsWrittenBy,
  inOrder,
  isNarrowed,
  joinSql,
  ofAnyKind,
  source,
  sql,
  wanted,
  wantedOfFeed,
  type Sql,
} from './feed-sql.js';
import { feedsOf, issuesAsParty, listOf, seesAsParty, seesFeed, type Sight } from './sight.js';

/** Where an entry stands in its list. */
export interface Place {
  readonly id: number;
  readonly created_at: unknown;
}

/** How far the entries of one person are walked before they are looked for feed by feed. */
const WALKS = [200, 2_000];
/** How far the entries of everybody are looked at before they are looked for feed by feed. */
const GLANCE = 500;
/** So many feeds are read without asking first which of them have the newest entries. */
const FEW_FEEDS = 24;
/** How many entries a statement reads: each number is a statement of its own that connections keep. */
export const COUNTS = [2, 11, 21, 51, 101];
/** Feeds that one statement reads, for the same reason. */
const BRANCHES = [1, 2, 8, FEW_FEEDS, 104];
const MOST_BRANCHES = 104;

const isFew = ({ complete, count }: Sight): boolean => complete && count <= FEW_FEEDS;

/**
 * Finds entries by their indexes alone (`docs/performance.md`). A list of many feeds is read in two steps: whatever its number of
 * feeds, a page of n entries lies within the n feeds whose newest entries are the newest.
 */
export class FeedPlaces {
  constructor(private readonly session: Session) {}

  /** At most `count` that come next. */
  async find(
    query: ActivityQuery,
    sight: Sight,
    after: Position | undefined,
    count: number,
  ): Promise<readonly Place[]> {
    const enough = COUNTS.find((each) => each >= count) ?? count;
    const near = await this.#near(query, sight, after, enough);
    const places = near ?? (await this.#byFeed(query, sight, after, enough));
    return places.slice(0, count);
  }

  /** What a look at the next entries tells, whosever they are, where that can be less than a look at each feed. */
  async #near(
    query: ActivityQuery,
    sight: Sight,
    after: Position | undefined,
    count: number,
  ): Promise<readonly Place[] | undefined> {
    const few = isFew(sight);
    if (query.feed.kind !== 'author') return few ? undefined : this.#glance(query, sight, after, count);
    // Nothing tells how many entries of a feed are of one kind: there may be none.
    return few && !isNarrowed(query) ? undefined : this.#walk(query, sight, after, count);
  }

  /** Who is in busy projects finds his page among the next entries of everybody. */
  async #glance(
    query: ActivityQuery,
    sight: Sight,
    after: Position | undefined,
    count: number,
  ): Promise<readonly Place[] | undefined> {
    const { dialect } = this.session;
    const next = sql`select * from activity_events e where ${wanted(ofAnyKind(query), after, dialect)} ${inOrder(query)} limit ${GLANCE}`;
    const found = await this.#run<Place>(sql`select e.id, e.created_at from (${next}) e
      where ${wanted(query, after, dialect)} and ${this.#sees('e', sight)} ${inOrder(query)} limit ${count}`);
    return found.length === count ? found : undefined;
  }

  /** The entries of a person one after the other, as long as most of them are seen. */
  async #walk(
    query: ActivityQuery,
    sight: Sight,
    after: Position | undefined,
    count: number,
  ): Promise<readonly Place[] | undefined> {
    for (const distance of WALKS) {
      const found = await this.#run<Place>(sql`select walked.id, walked.created_at
        from (${this.#ofAuthor(query, after, sql`limit ${distance}`)}) walked
        where ${this.#sees('walked', sight)} ${inOrder(query, 'walked')} limit ${count}`);
      if (found.length === count) return found;
      const beyond = await this.#run(this.#ofAuthor(query, after, sql`limit 1 offset ${distance}`));
      if (beyond.length === 0) return found;
    }
    return undefined;
  }

  #ofAuthor(query: ActivityQuery, after: Position | undefined, limit: Sql): Sql {
    return sql`select e.id, e.created_at, e.feed, e.issue_id from activity_events e
      where ${source(query)} and ${wanted(query, after, this.session.dialect)} ${inOrder(query)} ${limit}`;
  }

  #sees(entry: string, sight: Sight): Sql {
    const { dialect } = this.session;
    const whole = seesFeed(`${entry}.feed`, sight, dialect);
    return sight.isParty ? sql`(${whole} or ${seesAsParty(entry, sight, dialect)})` : whole;
  }

  async #byFeed(
    query: ActivityQuery,
    sight: Sight,
    after: Position | undefined,
    count: number,
  ): Promise<readonly Place[]> {
    const feeds = isFew(sight) ? feedsOf(sight) : await this.#newestFeeds(query, sight, after, count);
    const places: Place[] = [];
    for (let start = 0; start < feeds.length; start += MOST_BRANCHES)
      places.push(...(await this.#ofSomeFeeds(query, feeds.slice(start, start + MOST_BRANCHES), after, count)));
    if (sight.isParty) places.push(...(await this.#asParty(query, sight, after, count)));
    return this.#merged(query, places, count);
  }

  /** Of all feeds that the viewer sees, those that a page of so many entries can come from. */
  async #newestFeeds(
    query: ActivityQuery,
    sight: Sight,
    after: Position | undefined,
    count: number,
  ): Promise<readonly number[]> {
    const { dialect } = this.session;
    const newest = sql`select e.created_at from ${entriesOf(query, dialect)}
      where e.feed = feeds.feed and ${wantedOfFeed(query, after, dialect)} ${inOrder(query)} limit 1`;
    // Several may begin at one instant: all of them are needed.
    const rows = await this.#run<{ feed: number }>(sql`with recursive ${this.#feeds(query, sight)}
      select feed from (
        select feed, rank() over (order by begins ${query.sort}) as place
        from (select feed, (${newest}) as begins from feeds) newest where begins is not null
      ) ranked where place <= ${count}`);
    return rows.map(({ feed }) => feed);
  }

  /** The common table expression `feeds(feed)`: what the viewer sees, or where that is not listed what of it a person wrote in. */
  #feeds({ feed }: ActivityQuery, sight: Sight): Sql {
    const { dialect } = this.session;
    if (sight.complete || feed.kind !== 'author')
      return sql`feeds(feed) as (select distinct value from (${listOf(sight.feeds, dialect)}) listed)`;
    return sql`${feedsWrittenBy(feed.authorId)}, feeds as materialized (
      select feed from written where feed is not null and ${seesFeed('written.feed', sight, dialect)})`;
  }

  #ofSomeFeeds(
    query: ActivityQuery,
    feeds: readonly number[],
    after: Position | undefined,
    count: number,
  ): Promise<readonly Place[]> {
    const { dialect } = this.session;
    const size = BRANCHES.find((each) => each >= feeds.length) ?? MOST_BRANCHES;
    // Feed 0 has nothing: it stands where a statement has more places than there are feeds.
    const padded = [...feeds, ...Array.from({ length: size - feeds.length }, () => 0)];
    const branches = padded.map(
      (feed) => sql`select * from (select e.id, e.created_at from ${entriesOf(query, dialect)}
        where e.feed = ${bind(feed)} and ${wantedOfFeed(query, after, dialect)}
        ${inOrder(query)} limit ${count}) part`,
    );
    const { text, bindings } = sql`select id, created_at from (${joinSql(branches, ' union all ')}) e
      ${inOrder(query)} limit ${count}`;
    // The feeds of one person are of very different sizes: what is planned for one is ruinous for another.
    if (query.feed.kind === 'author') return this.session.runPlannedAnew<Place>(text, bindings);
    return this.session.run<Place>(text, bindings);
  }

  /** What the viewer sees of confidential issues because he has to do with them. */
  #asParty(query: ActivityQuery, sight: Sight, after: Position | undefined, count: number): Promise<readonly Place[]> {
    const { dialect } = this.session;
    return this.#run<Place>(sql`select e.id, e.created_at from activity_events e
      where e.issue_id in (${issuesAsParty(sight.viewer)}) and ${source(query)} and ${wanted(query, after, dialect)}
        and ${seesAsParty('e', sight, dialect)}
      ${inOrder(query)} limit ${count}`);
  }

  #merged(query: ActivityQuery, places: readonly Place[], count: number): readonly Place[] {
    const distinct = [...new Map(places.map((place) => [place.id, place])).values()];
    const direction = query.sort === 'desc' ? -1 : 1;
    const timeOf = (place: Place): number => positionOf(this.session, place).createdAt.getTime();
    return distinct
      .sort((one, other) => direction * (timeOf(one) - timeOf(other) || one.id - other.id))
      .slice(0, count);
  }

  #run<Row>({ text, bindings }: Sql): Promise<readonly Row[]> {
    return this.session.runPlannedAnew<Row>(text, bindings);
  }
}

export const positionOf = ({ dialect }: Session, { id, created_at }: Place): Position => ({
  id,
  createdAt: dialect.readInstant(created_at),
});

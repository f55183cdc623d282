import type { ActivityQuery } from '../../../../../application/activity/ports/activity-reader.js';
import type { Session } from '../session.js';
import { bind, joinSql, sql, type Sql } from '../sql.js';
import { entriesOf, feedsWrittenBy, inOrder, source, wanted, type Place } from './feed-sql.js';
import type { PageQuery } from './page-query.js';
import { listOf, seesFeed, type VisibleFeeds } from './visible-feeds.js';

/** Feeds that one statement reads: each number is a statement of its own that connections keep. */
const BRANCHES = [1, 2, 4, 8, 24, 104];
const MOST_BRANCHES = 104;

/** Finds entries in the feeds that a viewer sees whole. */
export class PlacesByFeed {
  constructor(private readonly session: Session) {}

  /** At most so many of some feeds; the next of all feeds are among them. */
  async ofFeeds(pageQuery: PageQuery, feeds: readonly number[]): Promise<readonly Place[]> {
    const places: Place[] = [];
    for (let start = 0; start < feeds.length; start += MOST_BRANCHES)
      places.push(...(await this.#ofSomeFeeds(pageQuery, feeds.slice(start, start + MOST_BRANCHES))));
    return places;
  }

  /** Of all feeds that the viewer sees, those that a page of so many entries can come from. */
  async newestFeeds({ query, visibleFeeds, after, count }: PageQuery): Promise<readonly number[]> {
    const { dialect } = this.session;
    const newest = sql`select e.created_at from ${entriesOf(query, dialect)}
      where e.feed = feeds.feed and ${source(query)} and ${wanted(query, after, dialect)} ${inOrder(query)} limit 1`;
    // Several may begin at one instant: all of them are needed.
    const { text, bindings } = sql`with recursive ${this.#feeds(query, visibleFeeds)}
      select feed from (
        select feed, rank() over (order by begins ${query.sort}) as place
        from (select feed, (${newest}) as begins from feeds) newest where begins is not null
      ) ranked where place <= ${count}`;
    const rows = await this.session.runPlannedAnew<{ feed: number }>(text, bindings);
    return rows.map(({ feed }) => feed);
  }

  /** The common table expression `feeds(feed)`: what the viewer sees, or where that is not listed what of it a person wrote in. */
  #feeds({ feed }: ActivityQuery, visibleFeeds: VisibleFeeds): Sql {
    const { dialect } = this.session;
    if (visibleFeeds.complete || feed.kind !== 'author')
      return sql`feeds(feed) as (select distinct value from (${listOf(visibleFeeds.feeds, dialect)}) listed)`;
    return sql`${feedsWrittenBy(feed.authorId)}, feeds as materialized (
      select feed from written where feed is not null and ${seesFeed('written.feed', visibleFeeds, dialect)})`;
  }

  #ofSomeFeeds({ query, after, count }: PageQuery, feeds: readonly number[]): Promise<readonly Place[]> {
    const { dialect } = this.session;
    const size = BRANCHES.find((each) => each >= feeds.length) ?? MOST_BRANCHES;
    // Feed 0 has nothing: it stands where a statement has more places than there are feeds.
    const padded = [...feeds, ...Array.from({ length: size - feeds.length }, () => 0)];
    const branches = padded.map(
      (feed) => sql`select * from (select e.id, e.created_at from ${entriesOf(query, dialect)}
        where e.feed = ${bind(feed)} and ${source(query)} and ${wanted(query, after, dialect)}
        ${inOrder(query)} limit ${count}) part`,
    );
    const { text, bindings } = sql`select id, created_at from (${joinSql(branches, ' union all ')}) e
      ${inOrder(query)} limit ${count}`;
    // The feeds of one person are of very different sizes: what is planned for one is ruinous for another.
    if (query.feed.kind === 'author') return this.session.runPlannedAnew<Place>(text, bindings);
    return this.session.run<Place>(text, bindings);
  }
}

import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { ActivityQuery } from '../../../../../application/activity/ports/activity-reader.js';
import { COUNT_LIMIT } from '../../../../../domain/shared/page.js';
import type { Session } from '../session.js';
import { sql, type Sql } from '../sql.js';
import { entriesOf, inOrder, source, wanted } from './feed-sql.js';
import type { Thresholds } from './thresholds.js';
import { among, issuesAsParty, seesAsParty, seesFeed, type VisibleFeeds } from './visible-feeds.js';

/** What a list was found to be: within the limit of counting, or beyond it. */
type Length = 'ends' | 'endless';

const MOST_REMEMBERED = 10_000;

/** What is one list for a while: where it begins moves on with the clock, unless a day is asked for. */
const nameOf = ({ viewer, feed, filter }: ActivityQuery, { feeds }: VisibleFeeds): string => {
  const { action, targetType, from, until } = filter;
  const seen = createHash('sha256').update(feeds).digest('base64url');
  return JSON.stringify([viewer.userId, feed, seen, action, targetType, from.toISOString().slice(0, 10), until]);
};

/**
 * Counts entries by their indexes alone, as far as totals are told. For a while it is remembered how long a list was found to be:
 * one beyond the limit is not counted, for entries are added and hardly ever taken away, and one within it is counted without a
 * limit, which takes a quarter less. A total itself is never remembered.
 */
export class FeedCounts {
  readonly #lengths: LRUCache<string, Length>;

  constructor(
    private readonly session: Session,
    private readonly thresholds: Thresholds,
  ) {
    this.#lengths = new LRUCache({ maxSize: MOST_REMEMBERED, sizeCalculation: () => 1, ttl: thresholds.rememberedMs });
  }

  /** The total, where it ends within the limit of counting. */
  async count(query: ActivityQuery, visibleFeeds: VisibleFeeds): Promise<number | undefined> {
    const list = nameOf(query, visibleFeeds);
    const length = this.#lengths.get(list);
    if (length === 'endless') return undefined;
    const total = await this.#count(query, visibleFeeds, length);
    this.#lengths.set(list, total === undefined ? 'endless' : 'ends');
    return total;
  }

  async #count(
    query: ActivityQuery,
    visibleFeeds: VisibleFeeds,
    length: Length | undefined,
  ): Promise<number | undefined> {
    const byFeed =
      query.feed.kind !== 'author' || (visibleFeeds.complete && visibleFeeds.count <= this.thresholds.mostCounted);
    const visible = await (byFeed
      ? this.#countOfFeeds(query, visibleFeeds, length)
      : this.#countOfAuthor(query, visibleFeeds));
    if (visible === undefined || !visibleFeeds.isParty) return visible;
    return visible + (await this.#countAsParty(query, visibleFeeds));
  }

  async #countOfFeeds(
    query: ActivityQuery,
    { feeds }: VisibleFeeds,
    length: Length | undefined,
  ): Promise<number | undefined> {
    const { dialect } = this.session;
    const entries = sql`from ${entriesOf(query, dialect)}
      where ${among('e.feed', feeds, dialect)} and ${source(query)} and ${wanted(query, undefined, dialect)}`;
    const total = await this.#number(
      length === 'ends'
        ? sql`select count(*) as count ${entries}`
        : sql`select count(*) as count from (select 1 as one ${entries} limit ${COUNT_LIMIT + 1}) counted`,
    );
    return total > COUNT_LIMIT ? undefined : total;
  }

  async #countOfAuthor(query: ActivityQuery, visibleFeeds: VisibleFeeds): Promise<number | undefined> {
    const { dialect } = this.session;
    const walked = sql`select e.feed, 1 as entries from activity_events e
      where ${source(query)} and ${wanted(query, undefined, dialect)} ${inOrder(query)} limit ${COUNT_LIMIT + 1}`;
    // A list is asked faster for each entry than entries are put together; whatever must be looked up is asked once a feed.
    const counted = visibleFeeds.complete
      ? walked
      : sql`select feed, count(*) as entries from (${walked}) newest group by feed`;
    const { text, bindings } = sql`select sum(entries) as examined,
        sum(case when ${seesFeed('walked.feed', visibleFeeds, dialect)} then entries else 0 end) as visible
      from (${counted}) walked`;
    const [row] = await this.session.runPlannedAnew<{ examined: number; visible: number }>(text, bindings);
    return Number(row?.examined) > COUNT_LIMIT ? undefined : Number(row?.visible);
  }

  #countAsParty(query: ActivityQuery, visibleFeeds: VisibleFeeds): Promise<number> {
    const { dialect } = this.session;
    return this.#number(sql`select count(*) as count from activity_events e
      where e.subject_id in (${issuesAsParty(visibleFeeds.viewer)}) and ${source(query)} and ${wanted(query, undefined, dialect)}
        and ${seesAsParty('e', visibleFeeds, dialect)} and not ${seesFeed('e.feed', visibleFeeds, dialect)}`);
  }

  async #number({ text, bindings }: Sql): Promise<number> {
    const [row] = await this.session.runPlannedAnew<{ count: number }>(text, bindings);
    return Number(row?.count);
  }
}

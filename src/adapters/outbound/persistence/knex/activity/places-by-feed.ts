import type { ActivityQuery, Position } from '../../../../../application/activity/ports/activity-reader.js';
import type { Session } from '../session.js';
import {
  bind,
  entriesOf,
  feedsWrittenBy,
  inOrder,
  joinSql,
  NOTHING,
  source,
  sql,
  wanted,
  type Place,
  type Sql,
} from './feed-sql.js';
import type { Limits } from './limits.js';
import { among, listOf, seesFeed, type Sight } from './sight.js';

/** How much of the time that a list has left is gathered at first. */
const NEAREST = 1 / 32;
/** How many samples are taken before each feed is looked at. */
const SAMPLES = 6;
/** Feeds that one statement reads: each number is a statement of its own that connections keep. */
const BRANCHES = [1, 2, 4, 8, 24, 104];
const MOST_BRANCHES = 104;

/** Finds entries in the feeds that a viewer sees whole. */
export class PlacesByFeed {
  constructor(
    private readonly session: Session,
    private readonly limits: Limits,
  ) {}

  /** At most so many of some feeds; the next of all feeds are among them. */
  async ofFeeds(
    query: ActivityQuery,
    feeds: readonly number[],
    after: Position | undefined,
    count: number,
  ): Promise<readonly Place[]> {
    const places: Place[] = [];
    for (let start = 0; start < feeds.length; start += MOST_BRANCHES)
      places.push(...(await this.#ofSomeFeeds(query, feeds.slice(start, start + MOST_BRANCHES), after, count)));
    return places;
  }

  /** What comes next in all feeds, by goes through an index, which cost less than a look at each of thousands. */
  gather(
    query: ActivityQuery,
    sight: Sight,
    after: Position | undefined,
    count: number,
  ): Promise<readonly Place[] | undefined> {
    return query.feed.kind === 'author'
      ? this.#gatherOfAuthor(query, sight, after, count)
      : this.#gatherOfAll(query, sight, after, count);
  }

  /** What a person did, of the nearest time or of all of it, where either is little. */
  async #gatherOfAuthor(
    query: ActivityQuery,
    sight: Sight,
    after: Position | undefined,
    count: number,
  ): Promise<readonly Place[] | undefined> {
    const most = this.limits.mostGathered;
    for (const part of [await this.#nearest(query, after), query]) {
      const { found, all } = await this.#gathered(part, sight, after, count, most);
      if (all > most) return undefined;
      if (found.length === count || part === query) return found;
    }
    return undefined;
  }

  /**
   * What everybody did. Where it is more than a sample, what comes next in the feeds of the sample tells how near the next of all feeds
   * are at least, and only that is looked through. Of one kind there is little: the nearest time comes first.
   */
  async #gatherOfAll(
    query: ActivityQuery,
    sight: Sight,
    after: Position | undefined,
    count: number,
  ): Promise<readonly Place[] | undefined> {
    const { action, targetType } = query.filter;
    const most = Math.max(this.limits.sample, count);
    let part = (action ?? targetType) === undefined ? query : await this.#nearest(query, after);
    for (let attempt = 0; attempt < SAMPLES; attempt += 1) {
      const { found, all } = await this.#gathered(part, sight, after, count, most);
      const last = found.at(-1);
      if (all > most && last !== undefined) part = this.#upTo(query, last);
      else if (found.length === count || part === query) return found;
      else part = query;
    }
    return undefined;
  }

  /** The next of what an index has of feed after feed, until there are more than `most`. */
  async #gathered(
    query: ActivityQuery,
    sight: Sight,
    after: Position | undefined,
    count: number,
    most: number,
  ): Promise<{ readonly found: readonly Place[]; readonly all: number }> {
    const { dialect } = this.session;
    const { feed, sort } = query;
    // Of an index that begins with the author, PostgreSQL before 17 would read all, and sort it.
    const order = feed.kind === 'author' ? NOTHING : sql`order by e.feed ${sort}, e.created_at ${sort}, e.id ${sort}`;
    const found = await this.#run<Place & { readonly all: number }>(sql`
      select gathered.id, gathered.created_at, count(*) over () as "all" from (
        select e.id, e.created_at from ${entriesOf(query, dialect)}
        where ${among('e.feed', sight.feeds, dialect)} and ${source(query)} and ${wanted(query, after, dialect)}
        ${order} limit ${most + 1}) gathered
      ${inOrder(query, 'gathered')} limit ${count}`);
    return { found, all: Number(found[0]?.all ?? 0) };
  }

  /** The query of no more time than up to an entry of the list. */
  #upTo(query: ActivityQuery, { created_at }: Place): ActivityQuery {
    const at = this.session.dialect.readInstant(created_at);
    const narrowed = query.sort === 'desc' ? { from: at } : { until: new Date(at.getTime() + 1) };
    return { ...query, filter: { ...query.filter, ...narrowed } };
  }

  /** The query of only that share of its time which comes first in its order. */
  async #nearest(query: ActivityQuery, after: Position | undefined): Promise<ActivityQuery> {
    const { filter, sort } = query;
    const latest = (sort === 'desc' ? after?.createdAt : undefined) ?? (await this.#latest(filter.until));
    const earliest = (sort === 'asc' ? after?.createdAt : undefined) ?? filter.from;
    const span = (latest.getTime() - earliest.getTime()) * NEAREST;
    const narrowed =
      sort === 'desc' ? { from: new Date(latest.getTime() - span) } : { until: new Date(earliest.getTime() + span) };
    return { ...query, filter: { ...filter, ...narrowed } };
  }

  /** When a list ends: a day far ahead may be asked for, before which nothing has happened yet. */
  async #latest(until = new Date(8.64e15)): Promise<Date> {
    const newest = 'select created_at from activity_events order by created_at desc limit 1';
    const [row] = await this.session.run<Pick<Place, 'created_at'>>(newest, []);
    const latest = row === undefined ? new Date(0) : this.session.dialect.readInstant(row.created_at);
    return until < latest ? until : latest;
  }

  /** Of all feeds that the viewer sees, those that a page of so many entries can come from. */
  async newestFeeds(
    query: ActivityQuery,
    sight: Sight,
    after: Position | undefined,
    count: number,
  ): Promise<readonly number[]> {
    const { dialect } = this.session;
    const newest = sql`select e.created_at from ${entriesOf(query, dialect)}
      where e.feed = feeds.feed and ${source(query)} and ${wanted(query, after, dialect)} ${inOrder(query)} limit 1`;
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
        where e.feed = ${bind(feed)} and ${source(query)} and ${wanted(query, after, dialect)}
        ${inOrder(query)} limit ${count}) part`,
    );
    const { text, bindings } = sql`select id, created_at from (${joinSql(branches, ' union all ')}) e
      ${inOrder(query)} limit ${count}`;
    // The feeds of one person are of very different sizes: what is planned for one is ruinous for another.
    if (query.feed.kind === 'author') return this.session.runPlannedAnew<Place>(text, bindings);
    return this.session.run<Place>(text, bindings);
  }

  #run<Row>({ text, bindings }: Sql): Promise<readonly Row[]> {
    return this.session.runPlannedAnew<Row>(text, bindings);
  }
}

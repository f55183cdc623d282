import type {
  ActivityEventWithAuthor,
  ActivityQuery,
  ActivityReader,
  ActivitySlice,
  Position,
} from '../../../../../application/activity/ports/activity-reader.js';
import { COUNT_LIMIT, type PageRequest } from '../../../../../domain/shared/page.js';
import { ACCESS_LEVEL } from '../../../../../domain/workspace/access-level.js';
import type { Session } from '../session.js';
import { feedOf, toActivityEvent, type ActivityRow } from './activity-row.js';
import {
  bind,
  FEEDS_OF_MEMBER,
  inOrder,
  issuesAsParty,
  joinSql,
  memberships,
  seesAsParty,
  seesFeed,
  sql,
  wanted,
  type Sql,
} from './feed-sql.js';

/** Where an entry stands in its list. */
interface Place {
  readonly id: number;
  readonly created_at: unknown;
}

/** How far the entries of one person are walked before they are looked for feed by feed. */
const WALK = 2_000;
/** How many entries a statement reads: each number is a statement of its own that connections keep. */
const COUNTS = [2, 11, 21, 51, 101];
/** Feeds that one statement reads, for the same reason. */
const BRANCHES = [1, 2, 8, 24, 104];
/** Entries that are counted off at once on the way to a deep page. */
const STRIDE = 100;

/**
 * Reads feeds by their indexes alone (`docs/performance.md`). A list of many feeds is read in two steps: whatever its number of feeds,
 * a page of n entries lies within the n feeds whose newest entries are the newest.
 */
export class KnexActivityReader implements ActivityReader {
  constructor(private readonly session: Session) {}

  async listAfter(query: ActivityQuery, after: Position | undefined, count: number): Promise<ActivitySlice> {
    const places = await this.#places(query, after, count + 1);
    return { items: await this.#details(places.slice(0, count)), hasNext: places.length > count };
  }

  async listPage(
    query: ActivityQuery,
    { page, perPage }: PageRequest,
  ): Promise<ActivitySlice & { readonly total?: number }> {
    const [start, total] = [await this.#skip(query, (page - 1) * perPage), await this.#count(query)];
    const slice = start === 'end' ? { items: [], hasNext: false } : await this.listAfter(query, start, perPage);
    return { ...slice, ...(total === undefined ? {} : { total }) };
  }

  async countByDay(query: ActivityQuery, limit: number): Promise<ReadonlyMap<string, number>> {
    const { viewer } = query;
    const day = this.session.dialect.dayOf('walked.created_at');
    const rows = await this.#run<{ day: string; count: number }>(sql`with recursive ${memberships(viewer)}
      select ${day} as day, count(*) as count
      from (select e.feed, e.issue_id, e.created_at from activity_events e
        where ${this.#source(query)} and ${this.#wanted(query)} ${inOrder(query)} limit ${limit}) walked
      where ${seesFeed('walked.feed', viewer)} or ${seesAsParty('walked', viewer)}
      group by 1`);
    return new Map(rows.map(({ day, count }) => [day, Number(count)]));
  }

  /** The place after so many entries, `undefined` for none, and 'end' where there are not so many. */
  async #skip(query: ActivityQuery, offset: number): Promise<Position | undefined | 'end'> {
    let after: Position | undefined;
    for (let left = offset; left > 0; left -= STRIDE) {
      const stride = Math.min(left, STRIDE);
      const places = await this.#places(query, after, stride);
      const last = places.at(-1);
      if (last === undefined || places.length < stride) return 'end';
      after = this.#positionOf(last);
    }
    return after;
  }

  async #places(query: ActivityQuery, after: Position | undefined, count: number): Promise<readonly Place[]> {
    const enough = COUNTS.find((each) => each >= count) ?? count;
    return (await this.#enoughPlaces(query, after, enough)).slice(0, count);
  }

  async #enoughPlaces(query: ActivityQuery, after: Position | undefined, count: number): Promise<readonly Place[]> {
    const { feed } = query;
    if (feed.kind === 'author') return this.#ofAuthor(query, after, count);
    const feeds = feed.kind === 'project' ? this.#feedsOfProject(query) : await this.#newestFeeds(query, after, count);
    const entries = await this.#ofFeeds(query, feeds, after, count);
    return this.#merged(query, [...entries, ...(await this.#asParty(query, after, count))], count);
  }

  /** Walks the newest entries of a person, and past those that the viewer doesn't see goes on feed by feed. */
  async #ofAuthor(query: ActivityQuery, after: Position | undefined, count: number): Promise<readonly Place[]> {
    const { viewer } = query;
    const walked = sql`select e.id, e.created_at, e.feed, e.issue_id from activity_events e
      where ${this.#source(query)} and ${this.#wanted(query, after)} ${inOrder(query)} limit ${WALK}`;
    const visible = await this.#run<Place>(sql`with recursive ${memberships(viewer)}
      select walked.id, walked.created_at from (${walked}) walked
      where ${seesFeed('walked.feed', viewer)} or ${seesAsParty('walked', viewer)}
      ${inOrder(query, 'walked')} limit ${count}`);
    if (visible.length === count || (await this.#endsWithinWalk(query, after))) return visible;
    const feeds = await this.#newestFeeds(query, after, count);
    const entries = await this.#ofFeeds(query, feeds, after, count);
    return this.#merged(query, [...entries, ...(await this.#asParty(query, after, count))], count);
  }

  async #endsWithinWalk(query: ActivityQuery, after: Position | undefined): Promise<boolean> {
    const beyond = await this.#run(sql`select e.id from activity_events e
      where ${this.#source(query)} and ${this.#wanted(query, after)} ${inOrder(query)} limit 1 offset ${WALK}`);
    return beyond.length === 0;
  }

  #feedsOfProject({ feed, viewer }: ActivityQuery): readonly number[] {
    if (feed.kind !== 'project') return [];
    const both = viewer.admin || feed.level >= ACCESS_LEVEL.reporter;
    return [feedOf(feed.projectId, false), ...(both ? [feedOf(feed.projectId, true)] : [])];
  }

  /** Of all feeds that the viewer sees, those that a page of so many entries can come from. */
  async #newestFeeds(query: ActivityQuery, after: Position | undefined, count: number): Promise<readonly number[]> {
    const newest = sql`select e.id from activity_events e
      where e.feed = feeds.feed and ${this.#ofPerson(query)} ${this.#wanted(query, after)} ${inOrder(query)} limit 1`;
    const rows = await this.#run<{ feed: number }>(sql`with recursive ${this.#feeds(query)},
      newest as materialized (select (${newest}) as id from feeds)
      select n.feed from newest join activity_events n on n.id = newest.id ${inOrder(query, 'n')} limit ${count}`);
    return rows.map(({ feed }) => feed);
  }

  /** The common table expression `feeds(feed)`, with those that it needs. */
  #feeds({ feed, viewer }: ActivityQuery): Sql {
    if (feed.kind !== 'author') return sql`${memberships(viewer)}, feeds as materialized (${FEEDS_OF_MEMBER})`;
    const next = (beyond: Sql) =>
      sql`select min(e.feed) from activity_events e where e.author_id = ${bind(feed.authorId)} ${beyond}`;
    return sql`${memberships(viewer)},
      written(feed) as (
        select (${next(sql``)})
        union all
        select (${next(sql`and e.feed > written.feed`)}) from written where written.feed is not null
      ),
      feeds as materialized (select feed from written where feed is not null and ${seesFeed('written.feed', viewer)})`;
  }

  async #ofFeeds(
    query: ActivityQuery,
    feeds: readonly number[],
    after: Position | undefined,
    count: number,
  ): Promise<readonly Place[]> {
    const size = BRANCHES.find((each) => each >= feeds.length) ?? feeds.length;
    // Feed 0 has nothing: it stands where a statement has more places than there are feeds.
    const padded = [...feeds, ...Array.from({ length: feeds.length === 0 ? 0 : size - feeds.length }, () => 0)];
    if (padded.length === 0) return [];
    const branches = padded.map(
      (feed) => sql`select * from (select e.id, e.created_at from activity_events e
        where e.feed = ${bind(feed)} and ${this.#ofPerson(query)} ${this.#wanted(query, after)}
        ${inOrder(query)} limit ${count}) part`,
    );
    return this.#run<Place>(
      sql`select id, created_at from (${joinSql(branches, ' union all ')}) e ${inOrder(query)} limit ${count}`,
    );
  }

  /** What the viewer sees of confidential issues because he has to do with them. */
  async #asParty(query: ActivityQuery, after: Position | undefined, count: number): Promise<readonly Place[]> {
    const { viewer } = query;
    if (viewer.userId === null || viewer.admin) return [];
    return this.#run<Place>(sql`with recursive ${memberships(viewer)}
      select e.id, e.created_at from activity_events e
      where e.issue_id in (${issuesAsParty(viewer)}) and e.feed % 2 = 1 and ${this.#within(query)}
        and ${this.#ofPerson(query)} ${this.#wanted(query, after)} and ${seesAsParty('e', viewer)}
      ${inOrder(query)} limit ${count}`);
  }

  /** The total, where it ends within the limit of counting. */
  async #count(query: ActivityQuery): Promise<number | undefined> {
    const { feed } = query;
    const examined = await this.#run<{ examined: number; visible: number }>(
      feed.kind === 'author' ? this.#countOfAuthor(query) : this.#countOfFeeds(query),
    );
    const [row = { examined: 0, visible: 0 }] = examined;
    if (Number(row.examined) > COUNT_LIMIT) return undefined;
    const asParty = feed.kind === 'author' ? 0 : await this.#countAsParty(query);
    return Number(row.visible) + asParty;
  }

  #countOfFeeds(query: ActivityQuery): Sql {
    const feeds =
      query.feed.kind === 'project'
        ? sql`feeds(feed) as (${joinSql(
            this.#feedsOfProject(query).map((feed) => sql`select cast(${bind(feed)} as bigint)`),
            ' union all ',
          )})`
        : this.#feeds(query);
    return sql`with recursive ${feeds}
      select count(*) as examined, count(*) as visible from (
        select 1 as one from feeds join activity_events e on e.feed = feeds.feed
        where ${this.#wanted(query)} limit ${COUNT_LIMIT + 1}) counted`;
  }

  #countOfAuthor(query: ActivityQuery): Sql {
    const { viewer } = query;
    const walked = sql`select e.feed from activity_events e
      where ${this.#source(query)} and ${this.#wanted(query)} ${inOrder(query)} limit ${COUNT_LIMIT + 1}`;
    return sql`with recursive ${memberships(viewer)}
      select sum(entries) as examined, sum(case when ${seesFeed('walked.feed', viewer)} then entries else 0 end)
        + (${this.#partyOfAuthor(query)}) as visible
      from (select feed, count(*) as entries from (${walked}) newest group by feed) walked`;
  }

  #partyOfAuthor(query: ActivityQuery): Sql {
    const { viewer } = query;
    return sql`select count(*) from activity_events e
      where e.issue_id in (${issuesAsParty(viewer)}) and ${this.#source(query)} and ${this.#wanted(query)}
        and ${seesAsParty('e', viewer)} and not ${seesFeed('e.feed', viewer)}`;
  }

  async #countAsParty(query: ActivityQuery): Promise<number> {
    const { viewer } = query;
    if (viewer.userId === null || viewer.admin) return 0;
    const [row] = await this.#run<{ count: number }>(sql`with recursive ${memberships(viewer)}
      select count(*) as count from activity_events e
      where e.issue_id in (${issuesAsParty(viewer)}) and ${this.#within(query)} and ${this.#wanted(query)}
        and ${seesAsParty('e', viewer)} and not ${seesFeed('e.feed', viewer)}`);
    return Number(row?.count ?? 0);
  }

  /** What keeps to the projects of a list. */
  #within({ feed }: ActivityQuery): Sql {
    if (feed.kind === 'project') return sql`e.feed = ${bind(feedOf(feed.projectId, true))}`;
    return feed.kind === 'memberships' ? sql`(e.feed - 1) / 2 in (select project_id from mine)` : sql`1 = 1`;
  }

  /** The entries of one person, as an index begins with him. */
  #source({ feed }: ActivityQuery): Sql {
    return feed.kind === 'author' ? sql`e.author_id = ${bind(feed.authorId)}` : sql`1 = 1`;
  }

  #ofPerson(query: ActivityQuery): Sql {
    return query.feed.kind === 'author' ? sql`${this.#source(query)} and` : sql``;
  }

  #wanted(query: ActivityQuery, after?: Position): Sql {
    return wanted(query, after, this.session.dialect);
  }

  #merged(query: ActivityQuery, places: readonly Place[], count: number): readonly Place[] {
    const distinct = [...new Map(places.map((place) => [place.id, place])).values()];
    const direction = query.sort === 'desc' ? -1 : 1;
    const timeOf = (place: Place): number => this.#positionOf(place).createdAt.getTime();
    return distinct
      .sort((one, other) => direction * (timeOf(one) - timeOf(other) || one.id - other.id))
      .slice(0, count);
  }

  #positionOf({ id, created_at }: Place): Position {
    return { id, createdAt: this.session.dialect.readInstant(created_at) };
  }

  async #details(places: readonly Place[]): Promise<readonly ActivityEventWithAuthor[]> {
    if (places.length === 0) return [];
    const ids = joinSql(
      places.map(({ id }) => bind(id)),
      ', ',
    );
    const rows = await this
      .#run<ActivityRow>(sql`select e.id, e.feed, e.author_id, e.action, e.target_type, e.target_id,
        e.target_iid, e.target_title, e.details, e.created_at, u.username, u.name, u.state, n.body,
        p.full_path as project_path
      from activity_events e
      left join projects p on p.id = e.feed / 2
      left join users u on u.id = e.author_id
      left join notes n on n.id = e.target_id and e.target_type = 4 and n.issue_id = e.issue_id
      where e.id in (${ids})`);
    const byId = new Map(rows.map((row) => [row.id, toActivityEvent(row, this.session.dialect)]));
    return places.flatMap(({ id }) => byId.get(id) ?? []);
  }

  #run<Row>({ text, bindings }: Sql): Promise<readonly Row[]> {
    return this.session.run<Row>(text, bindings);
  }
}

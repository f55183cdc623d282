import type { ActivityQuery, Position } from '../../../../../application/activity/ports/activity-reader.js';
import type { Viewer } from '../../../../../application/workspace/ports/workspace-readers.js';
import type { EventFilter } from '../../../../../domain/activity/event-filter.js';
import { COUNT_LIMIT } from '../../../../../domain/shared/page.js';
import { ACCESS_LEVEL } from '../../../../../domain/workspace/access-level.js';
import type { Session } from '../session.js';
import { codeOfAction, codeOfTargetType, feedOf } from './activity-row.js';
import {
  bind,
  FEEDS_OF_MEMBER,
  feedsOpenTo,
  feedsWrittenBy,
  inOrder,
  isOfMember,
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
export interface Place {
  readonly id: number;
  readonly created_at: unknown;
}

const rangeOf = ({ filter: { from, until } }: ActivityQuery): EventFilter => ({
  from,
  ...(until === undefined ? {} : { until }),
});

/** How far the entries of one person are walked before they are looked for feed by feed. */
const NEAR = 200;
const WALK = 2_000;
/** How far the entries of everybody are looked at before they are looked for feed by feed. */
const GLANCE = 500;
const FEW_PROJECTS = 2_000;
/** How many entries a statement reads: each number is a statement of its own that connections keep. */
export const COUNTS = [2, 11, 21, 51, 101];
/** Feeds that one statement reads, for the same reason. */
const BRANCHES = [1, 2, 8, 24, 104];
const MOST_BRANCHES = 104;

/**
 * Finds entries by their indexes alone (`docs/performance.md`). A list of many feeds is read in two steps: whatever its number of
 * feeds, a page of n entries lies within the n feeds whose newest entries are the newest.
 */
export class FeedPlaces {
  constructor(
    private readonly session: Session,
    /** Up to so many open projects are looked at one by one. */
    private readonly fewProjects = FEW_PROJECTS,
  ) {}

  /** At most `count` that come next. */
  async find(query: ActivityQuery, after: Position | undefined, count: number): Promise<readonly Place[]> {
    const enough = COUNTS.find((each) => each >= count) ?? count;
    return (await this.#enoughPlaces(query, after, enough)).slice(0, count);
  }

  async #enoughPlaces(query: ActivityQuery, after: Position | undefined, count: number): Promise<readonly Place[]> {
    const { feed } = query;
    if (feed.kind === 'author') return this.#ofAuthor(query, after, count);
    if (feed.kind === 'project') return this.#withParty(query, this.#feedsOfProject(query), after, count);
    const walked = await this.#walk(query, after, count);
    if (walked.length === count) return walked;
    return this.#withParty(query, await this.#newestFeeds(query, after, count), after, count);
  }

  async #withParty(
    query: ActivityQuery,
    feeds: readonly number[],
    after: Position | undefined,
    count: number,
  ): Promise<readonly Place[]> {
    const entries = await this.#ofFeeds(query, feeds, after, count);
    return this.#merged(query, [...entries, ...(await this.#asParty(query, after, count))], count);
  }

  /** Looks among the next entries of everybody first: who is in busy projects finds his page there. */
  #walk(query: ActivityQuery, after: Position | undefined, count: number): Promise<readonly Place[]> {
    const { viewer } = query;
    const next = sql`select * from activity_events e where ${wanted({ ...query, filter: rangeOf(query) }, after, this.session.dialect)}
      ${inOrder(query)} limit ${GLANCE}`;
    return this.#run<Place>(sql`with recursive ${memberships(viewer)}
      select e.id, e.created_at from (${next}) e
      where ${this.#wanted(query)} and (${isOfMember('e.feed', viewer)} or (${this.#within(query)} and ${seesAsParty('e', viewer)}))
      ${inOrder(query)} limit ${count}`);
  }

  /** Looks at the newest entries of a person, then walks further, and past those that the viewer doesn't see goes on feed by feed. */
  async #ofAuthor(query: ActivityQuery, after: Position | undefined, count: number): Promise<readonly Place[]> {
    const { viewer } = query;
    const near = await this.#run<Place>(sql`with recursive ${memberships(viewer)}
      select walked.id, walked.created_at from (${this.#newestOfAuthor(query, after, NEAR)}) walked
      where ${seesFeed('walked.feed', viewer)} or ${seesAsParty('walked', viewer)}
      ${inOrder(query, 'walked')} limit ${count}`);
    if (near.length === count || (await this.#endsWithin(query, after, NEAR))) return near;
    const { tables, test } = await this.#seen(viewer, 'feeds_walked.feed');
    const walked = await this.#run<Place>(sql`with recursive ${tables},
      walked as materialized (${this.#newestOfAuthor(query, after, WALK)}),
      seen as materialized (select feed from (select distinct feed from walked) feeds_walked where ${test})
      select walked.id, walked.created_at from walked
      where walked.feed in (select feed from seen) or ${seesAsParty('walked', viewer)}
      ${inOrder(query, 'walked')} limit ${count}`);
    if (walked.length === count || (await this.#endsWithin(query, after, WALK))) return walked;
    return this.#withParty(query, await this.#newestFeeds(query, after, count), after, count);
  }

  #newestOfAuthor(query: ActivityQuery, after: Position | undefined, limit: number): Sql {
    return sql`select e.id, e.created_at, e.feed, e.issue_id from activity_events e
      where ${this.#source(query)} and ${this.#wanted(query, after)} ${inOrder(query)} limit ${limit}`;
  }

  async #endsWithin(query: ActivityQuery, after: Position | undefined, limit: number): Promise<boolean> {
    const beyond = await this.#run(sql`select e.id from activity_events e
      where ${this.#source(query)} and ${this.#wanted(query, after)} ${inOrder(query)} limit 1 offset ${limit}`);
    return beyond.length === 0;
  }

  #feedsOfProject({ feed, viewer }: ActivityQuery): readonly number[] {
    if (feed.kind !== 'project') return [];
    const both = viewer.admin || feed.level >= ACCESS_LEVEL.reporter;
    return [feedOf(feed.projectId, false), ...(both ? [feedOf(feed.projectId, true)] : [])];
  }

  /** Of all feeds that the viewer sees, those that a page of so many entries can come from. */
  async #newestFeeds(query: ActivityQuery, after: Position | undefined, count: number): Promise<readonly number[]> {
    const newest = sql`select e.created_at from ${this.#entriesOf(query)}
      where e.feed = feeds.feed and ${this.#wantedOfFeed(query, after)} ${inOrder(query)} limit 1`;
    // Several may begin at one instant: all of them are needed.
    const rows = await this.#run<{ feed: number }>(sql`with recursive ${await this.#feeds(query)}
      select feed from (
        select feed, rank() over (order by begins ${query.sort}) as place
        from (select feed, (${newest}) as begins from feeds) newest where begins is not null
      ) ranked where place <= ${count}`);
    return rows.map(({ feed }) => feed);
  }

  /** The common table expression `feeds(feed)`, with those that it needs. */
  async #feeds({ feed, viewer }: ActivityQuery): Promise<Sql> {
    if (feed.kind !== 'author') return sql`${memberships(viewer)}, feeds as materialized (${FEEDS_OF_MEMBER})`;
    const { tables, test, listed } = await this.#seen(viewer, 'written.feed');
    if (listed) return tables;
    return sql`${memberships(viewer)}, ${feedsWrittenBy(feed.authorId)},
      feeds as materialized (select feed from written where feed is not null and ${test})`;
  }

  /** How to tell the feeds that the viewer sees: by the list of all of them, `feeds(feed)`, where it is short, else one by one. */
  async #seen(
    viewer: Viewer,
    feed: string,
  ): Promise<{ readonly tables: Sql; readonly test: Sql; readonly listed: boolean }> {
    if (viewer.admin || !(await this.#openProjectsAreFew()))
      return { tables: memberships(viewer), test: seesFeed(feed, viewer), listed: false };
    const tables = sql`${memberships(viewer)}, feeds as materialized (${FEEDS_OF_MEMBER} union ${feedsOpenTo(viewer)})`;
    return { tables, test: sql`${feed} in (select feed from feeds)`, listed: true };
  }

  /** Then what a viewer sees is found sooner from his side than from that of a prolific author. */
  async #openProjectsAreFew(): Promise<boolean> {
    const beyond = `select id from projects where visibility <> 'private' limit 1 offset ${this.fewProjects}`;
    return (await this.session.run(beyond, [])).length === 0;
  }

  async #ofFeeds(
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

  #ofSomeFeeds(
    query: ActivityQuery,
    feeds: readonly number[],
    after: Position | undefined,
    count: number,
  ): Promise<readonly Place[]> {
    const size = BRANCHES.find((each) => each >= feeds.length) ?? MOST_BRANCHES;
    // Feed 0 has nothing: it stands where a statement has more places than there are feeds.
    const padded = [...feeds, ...Array.from({ length: size - feeds.length }, () => 0)];
    const branches = padded.map(
      (feed) => sql`select * from (select e.id, e.created_at from ${this.#entriesOf(query)}
        where e.feed = ${bind(feed)} and ${this.#wantedOfFeed(query, after)}
        ${inOrder(query)} limit ${count}) part`,
    );
    const { text, bindings } = sql`select id, created_at from (${joinSql(branches, ' union all ')}) e
      ${inOrder(query)} limit ${count}`;
    // The feeds of one person are of very different sizes: what is planned for one is ruinous for another.
    if (query.feed.kind === 'author') return this.session.runPlannedAnew<Place>(text, bindings);
    return this.session.run<Place>(text, bindings);
  }

  /** What the viewer sees of confidential issues because he has to do with them. */
  async #asParty(query: ActivityQuery, after: Position | undefined, count: number): Promise<readonly Place[]> {
    const { viewer } = query;
    if (!(await this.#hasToDoWithAny(viewer))) return [];
    return this.#run<Place>(sql`with recursive ${memberships(viewer)}
      select e.id, e.created_at from activity_events e
      where e.issue_id in (${issuesAsParty(viewer)}) and e.feed % 2 = 1 and ${this.#within(query)}
        and ${this.#ofPerson(query)} ${this.#wanted(query, after)} and ${seesAsParty('e', viewer)}
      ${inOrder(query)} limit ${count}`);
  }

  /** The total, where it ends within the limit of counting. */
  async count(query: ActivityQuery): Promise<number | undefined> {
    const { feed } = query;
    const examined = await this.#run<{ examined: number; visible: number }>(
      await (feed.kind === 'author' ? this.#countOfAuthor(query) : this.#countOfFeeds(query)),
    );
    const [row = { examined: 0, visible: 0 }] = examined;
    if (Number(row.examined) > COUNT_LIMIT) return undefined;
    const asParty = feed.kind === 'author' ? 0 : await this.#countAsParty(query);
    return Number(row.visible) + asParty;
  }

  async #countOfFeeds(query: ActivityQuery): Promise<Sql> {
    const feeds =
      query.feed.kind === 'project'
        ? sql`feeds(feed) as (${joinSql(
            this.#feedsOfProject(query).map((feed) => sql`select cast(${bind(feed)} as bigint)`),
            ' union all ',
          )})`
        : await this.#feeds(query);
    // A `cross join` is taken in the order in which it stands, where a planner can be told: feeds first, and entries by their index.
    return sql`with recursive ${feeds}
      select count(*) as examined, count(*) as visible from (
        select 1 as one from feeds cross join activity_events e
        where e.feed = feeds.feed and ${this.#wanted(query)} limit ${COUNT_LIMIT + 1}) counted`;
  }

  async #countOfAuthor(query: ActivityQuery): Promise<Sql> {
    const { viewer } = query;
    const { tables, test } = await this.#seen(viewer, 'walked.feed');
    const walked = sql`select e.feed from activity_events e
      where ${this.#source(query)} and ${this.#wanted(query)} ${inOrder(query)} limit ${COUNT_LIMIT + 1}`;
    return sql`with recursive ${tables}
      select sum(entries) as examined, sum(case when ${test} then entries else 0 end)
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
    if (!(await this.#hasToDoWithAny(viewer))) return 0;
    const [row] = await this.#run<{ count: number }>(sql`with recursive ${memberships(viewer)}
      select count(*) as count from activity_events e
      where e.issue_id in (${issuesAsParty(viewer)}) and ${this.#within(query)} and ${this.#wanted(query)}
        and ${seesAsParty('e', viewer)} and not ${seesFeed('e.feed', viewer)}`);
    return Number(row?.count ?? 0);
  }

  /** Whether any confidential issue is the viewer's affair: mostly none is, and then nothing of them is looked for. */
  async #hasToDoWithAny(viewer: Viewer): Promise<boolean> {
    if (viewer.userId === null || viewer.admin) return false;
    const { text, bindings } = sql`select 1 as one from (${issuesAsParty(viewer)}) party limit 1`;
    return (await this.session.run(text, bindings)).length > 0;
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

  /** The entries `e` of one feed: those of one person by the index of his feeds, and not by that of what everybody did there. */
  #entriesOf({ feed }: ActivityQuery): string {
    const index = 'activity_events_of_author_by_feed';
    return `activity_events e ${feed.kind === 'author' ? this.session.dialect.byIndex(index) : ''}`;
  }

  /** The other conditions are written so that no index of theirs is taken instead. */
  #wantedOfFeed(query: ActivityQuery, after: Position | undefined): Sql {
    if (query.feed.kind !== 'author') return this.#wanted(query, after);
    const { action, targetType } = query.filter;
    return joinSql(
      [
        this.#source(query),
        wanted({ ...query, filter: rangeOf(query) }, after, this.session.dialect),
        ...(action === undefined ? [] : [sql`e.action + 0 = ${bind(codeOfAction(action))}`]),
        ...(targetType === undefined ? [] : [sql`e.target_type + 0 = ${bind(codeOfTargetType(targetType))}`]),
      ],
      ' and ',
    );
  }

  #wanted(query: ActivityQuery, after?: Position): Sql {
    return wanted(query, after, this.session.dialect);
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

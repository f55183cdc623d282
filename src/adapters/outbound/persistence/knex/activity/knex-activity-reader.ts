import type { Knex } from 'knex';
import type {
  ActivityEventWithAuthor,
  ActivityQuery,
  ActivityReader,
  ActivitySlice,
  Position,
  QueryOfAuthor,
  Standing,
} from '../../../../../application/activity/ports/activity-reader.js';
import type { ActivityEvent } from '../../../../../domain/activity/activity-event.js';
import type { Viewer } from '../../../../../application/workspace/ports/workspace-readers.js';
import { inOneBatch } from '../../../../../application/shared/page-in-batches.js';
import { type PageRequest } from '../../../../../domain/shared/page.js';
import { inOrderOf, readInBatches } from '../read-in-batches.js';
import { visibleMergeRequests } from '../review/visible-merge-requests.js';
import type { Session } from '../session.js';
import { bind, joinSql, sql } from '../sql.js';
import { visibleProjects, wherePermitted } from '../visibility/visible.js';
import { toActivityEvent, type ActivityRow } from './activity-row.js';
import { FeedCounts } from './feed-counts.js';
import { COUNTS, FeedPlaces, positionOf } from './feed-places.js';
import { inOrder, source, wanted, type Place } from './feed-sql.js';
import { THRESHOLDS, type Thresholds } from './thresholds.js';
import { withholding } from './withheld.js';
import { seesAsParty, seesFeed, VisibleFeedsReader, type VisibleFeeds } from './visible-feeds.js';

/** Entries that are counted off at once on the way to a deep page. */
const STRIDE = 100;
/** A comment of more bytes is read by itself. */
const LARGE_BODY = 4_096;

const NOTEABLES = { Issue: 'issue', MergeRequest: 'merge_request' } as const;

/** The ids of one kind that entries tell of. */
const named = (
  type: 'issue' | 'milestone' | 'merge_request',
  events: readonly ActivityEvent[],
): ReadonlySet<number> => {
  const ids = new Set<number>();
  for (const { target, comment } of events) {
    if (target?.type === type) ids.add(target.id);
    if (comment?.noteableId != null && NOTEABLES[comment.noteableType as keyof typeof NOTEABLES] === type)
      ids.add(comment.noteableId);
  }
  return ids;
};

/** The ids of the projects that entries tell of commits of. */
const pushedTo = (events: readonly ActivityEvent[]): ReadonlySet<number> =>
  new Set(events.flatMap(({ push, projectId }) => (push?.commitTo == null ? [] : [projectId])));

/** Which of them a query has; nothing is asked for none. */
const idsOf = async (
  table: string,
  ids: ReadonlySet<number>,
  list: () => Knex.QueryBuilder,
): Promise<ReadonlySet<number>> => {
  if (ids.size === 0) return ids;
  const rows = (await list()
    .whereIn(`${table}.id`, [...ids])
    .select(`${table}.id`)) as { id: number }[];
  return new Set(rows.map(({ id }) => id));
};

/** Reads feeds: where their entries stand is found first, and what they tell only for those of a page. */
export class KnexActivityReader implements ActivityReader {
  readonly #visibleFeeds: VisibleFeedsReader;
  readonly #places: FeedPlaces;
  readonly #counts: FeedCounts;

  constructor(
    private readonly session: Session,
    thresholds: Partial<Thresholds> = {},
  ) {
    const all = { ...THRESHOLDS, ...thresholds };
    this.#visibleFeeds = new VisibleFeedsReader(session, all);
    this.#places = new FeedPlaces(session, all);
    this.#counts = new FeedCounts(session, all);
  }

  async listAfter(query: ActivityQuery, after: Position | undefined, count: number): Promise<ActivitySlice> {
    return this.#slice(query, await this.#visibleFeeds.of(query), after, count);
  }

  async listPage(query: ActivityQuery, request: PageRequest): Promise<ActivitySlice & { readonly total?: number }> {
    const visibleFeeds = await this.#visibleFeeds.of(query);
    // Where a database has several connections, the one need not wait for the other.
    const [total, slice] = await Promise.all([
      this.#counts.count(query, visibleFeeds),
      this.#numbered(query, visibleFeeds, request),
    ]);
    return { ...slice, ...(total === undefined ? {} : { total }) };
  }

  async standing(viewer: Viewer, events: readonly ActivityEvent[]): Promise<Standing> {
    const { query } = this.session;
    const [issues, milestones, merge_requests, code] = await Promise.all([
      idsOf('issues', named('issue', events), () => query('issues')),
      idsOf('milestones', named('milestone', events), () => query('milestones')),
      // Whoever sees a project need not see its code.
      idsOf('merge_requests', named('merge_request', events), () => visibleMergeRequests(query, viewer)),
      idsOf('projects', pushedTo(events), () => wherePermitted(visibleProjects(query, viewer), viewer, 'read_code')),
    ]);
    return { issues, milestones, merge_requests, code };
  }

  async countByDay(query: QueryOfAuthor, limit: number): Promise<ReadonlyMap<string, number>> {
    const { dialect } = this.session;
    const visibleFeeds = await this.#visibleFeeds.of(query);
    // What must be looked up of a feed is asked once, and of a single entry only where a confidential issue may concern the viewer.
    const subject = visibleFeeds.isParty ? sql`e.subject_id` : sql`null`;
    const { text, bindings } = sql`with walked as (
        select feed, subject_id, day, count(*) as entries from (
          select e.feed, ${subject} as subject_id, ${dialect.sameDay('e.created_at')} as day from activity_events e
          where ${source(query)} and ${wanted(query, undefined, dialect)} ${inOrder(query)} limit ${limit}
        ) newest group by feed, subject_id, day)
      select ${dialect.dayOf('day')} as day, sum(entries) as count from walked
      where feed in (
          select feed from (select distinct feed from walked) feeds where ${seesFeed('feeds.feed', visibleFeeds, dialect)}
        ) or ${seesAsParty('walked', visibleFeeds, dialect)}
      group by day`;
    const rows = await this.session.runPlannedAnew<{ day: string; count: number }>(text, bindings);
    return new Map(rows.map(({ day, count }) => [day, Number(count)]));
  }

  async #numbered(
    query: ActivityQuery,
    visibleFeeds: VisibleFeeds,
    { page, perPage }: PageRequest,
  ): Promise<ActivitySlice> {
    const start = await this.#skip(query, visibleFeeds, (page - 1) * perPage);
    return start === 'end'
      ? { batches: inOneBatch([]), last: undefined, hasNext: false }
      : this.#slice(query, visibleFeeds, start, perPage);
  }

  async #slice(
    query: ActivityQuery,
    visibleFeeds: VisibleFeeds,
    after: Position | undefined,
    count: number,
  ): Promise<ActivitySlice> {
    const found = await this.#places.find({ query, visibleFeeds, after, count: count + 1 });
    const places = found.slice(0, count);
    const last = places.at(-1);
    return {
      batches: this.#inBatches(query.viewer, places),
      last: last && positionOf(this.session, last),
      hasNext: found.length > count,
    };
  }

  /** Comments that are not large come with the entries themselves, and those that are with the batch of their entry. */
  async *#inBatches(
    viewer: Viewer,
    places: readonly Place[],
  ): AsyncGenerator<readonly ActivityEventWithAuthor[], void, undefined> {
    const rows = await this.#rows(places);
    const shown = await withholding(this.session, viewer, rows);
    const left = (row: ActivityRow): number => (row.body === null ? Number(row.body_bytes ?? 0) : 0);
    yield* readInBatches(rows, left, async (some) => {
      const bodies = await this.#bodies(some.filter((row) => left(row) > 0));
      return some.map((row) =>
        shown(
          toActivityEvent({ ...row, body: row.body ?? bodies.get(row.target_id ?? 0) ?? null }, this.session.dialect),
        ),
      );
    });
  }

  async #bodies(rows: readonly ActivityRow[]): Promise<ReadonlyMap<number, string>> {
    if (rows.length === 0) return new Map();
    const ids = rows.map(({ target_id }) => target_id ?? 0);
    const notes = await this.session.query('notes').whereIn('id', ids).select('id', 'body');
    return new Map(notes.map(({ id, body }) => [id, body]));
  }

  /** The place after so many entries, `undefined` for none, and 'end' where there are not so many. */
  async #skip(query: ActivityQuery, visibleFeeds: VisibleFeeds, offset: number): Promise<Position | undefined | 'end'> {
    let after: Position | undefined;
    for (let left = offset; left > 0; left -= STRIDE) {
      const stride = Math.min(left, STRIDE);
      const places = await this.#places.find({ query, visibleFeeds, after, count: stride });
      const last = places.at(-1);
      if (last === undefined || places.length < stride) return 'end';
      after = positionOf(this.session, last);
    }
    return after;
  }

  async #rows(places: readonly Place[]): Promise<readonly ActivityRow[]> {
    if (places.length === 0) return [];
    const size = COUNTS.find((each) => each >= places.length) ?? places.length;
    const padded = Array.from({ length: size }, (_, index) => bind(places[index]?.id ?? 0));
    const ids = joinSql(padded, ', ');
    const { text, bindings } = sql`select e.id, e.feed, e.author_id, e.action, e.target_type, e.target_id,
        e.target_iid, e.target_title, e.details, e.created_at, u.username, u.name, u.state,
        case when octet_length(n.body) <= ${LARGE_BODY} then n.body end as body, octet_length(n.body) as body_bytes,
        p.full_path as project_path,
        p.repository_access_level, p.issues_access_level, p.merge_requests_access_level, p.snippets_access_level
      from activity_events e
      left join projects p on p.id = e.feed / 2
      left join users u on u.id = e.author_id
      left join notes n on n.id = e.target_id and e.target_type = 4 and n.subject_id = e.subject_id
      where e.id in (${ids})`;
    const rows = await this.session.run<ActivityRow>(text, bindings);
    return inOrderOf(
      places.map(({ id }) => id),
      rows,
    );
  }
}

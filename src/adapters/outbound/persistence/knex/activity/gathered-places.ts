import type { Session } from '../session.js';
import { NOTHING, sql } from '../sql.js';
import { entriesOf, inOrder, isOfOneKind, source, wanted, type Place } from './feed-sql.js';
import type { Thresholds } from './thresholds.js';
import type { PageQuery } from './page-query.js';
import { among } from './visible-feeds.js';

/** How much of the time that a list has left is gathered at first. */
const NEAREST = 1 / 32;
/** How many samples are taken. */
const SAMPLES = 6;

/** Looks for a page in all feeds at once, by goes through one index: each costs less than a look at each of thousands. */
export class GatheredPlaces {
  constructor(
    private readonly session: Session,
    private readonly thresholds: Thresholds,
  ) {}

  /**
   * At most `count` that come next, or `undefined` where it would take to look at each feed.
   *
   * @param near whether something that comes next is near.
   */
  find(pageQuery: PageQuery, near: boolean): Promise<readonly Place[] | undefined> {
    return pageQuery.query.feed.kind === 'author' ? this.#ofAuthor(pageQuery) : this.#ofAll(pageQuery, near);
  }

  /** What a person did, of the nearest time or of all of it, where either is little. */
  async #ofAuthor(pageQuery: PageQuery): Promise<readonly Place[] | undefined> {
    const most = this.thresholds.mostGathered;
    for (const part of [await this.#nearest(pageQuery), pageQuery]) {
      const { found, all } = await this.#gathered(part, most);
      if (all > most) return undefined;
      if (found.length === pageQuery.count || part === pageQuery) return found;
    }
    return undefined;
  }

  /**
   * What everybody did. Where it is more than a sample, what comes next in the feeds of the sample tells how near the next of all feeds
   * are at least, and only that is looked through. Of one kind there is little: the nearest time comes first, where anything is near.
   */
  async #ofAll(pageQuery: PageQuery, near: boolean): Promise<readonly Place[] | undefined> {
    const { query, count } = pageQuery;
    let most = Math.max(this.thresholds.sample, count);
    let part = near && isOfOneKind(query) ? await this.#nearest(pageQuery) : pageQuery;
    for (let attempt = 0; attempt < SAMPLES; attempt += 1) {
      const { found, all } = await this.#gathered(part, most);
      const last = found.at(-1);
      if (all > most && last !== undefined) {
        part = this.#upTo(pageQuery, last);
        // Another go through all feeds costs more than to put some more entries in order.
        most = Math.max(this.thresholds.mostGathered, count);
      } else if (found.length === count || part === pageQuery) return found;
      else part = pageQuery;
    }
    return undefined;
  }

  /** The next of what an index has of feed after feed, until there are more than `most`. */
  async #gathered(
    { query, visibleFeeds, after, count }: PageQuery,
    most: number,
  ): Promise<{ readonly found: readonly Place[]; readonly all: number }> {
    const { dialect } = this.session;
    const { feed, sort } = query;
    // Of an index that begins with the author, PostgreSQL before 17 would read all, and sort it.
    const order = feed.kind === 'author' ? NOTHING : sql`order by e.feed ${sort}, e.created_at ${sort}, e.id ${sort}`;
    const { text, bindings } = sql`with gathered as materialized (
        select e.id, e.created_at from ${entriesOf(query, dialect)}
        where ${among('e.feed', visibleFeeds.feeds, dialect)} and ${source(query)} and ${wanted(query, after, dialect)}
        ${order} limit ${most + 1})
      select gathered.id, gathered.created_at, (select count(*) from gathered) as "all"
      from gathered ${inOrder(query, 'gathered')} limit ${count}`;
    const found = await this.session.runPlannedAnew<Place & { readonly all: number }>(text, bindings);
    return { found, all: Number(found[0]?.all ?? 0) };
  }

  /** The query in no more time than up to an entry of the list. */
  #upTo(pageQuery: PageQuery, { created_at }: Place): PageQuery {
    const at = this.session.dialect.readInstant(created_at);
    const descending = pageQuery.query.sort === 'desc';
    return within(pageQuery, descending ? { from: at } : { until: new Date(at.getTime() + 1) });
  }

  /** The query in only that share of its time which comes first in its order. */
  async #nearest(pageQuery: PageQuery): Promise<PageQuery> {
    const { after, query } = pageQuery;
    const { filter, sort } = query;
    const latest = (sort === 'desc' ? after?.createdAt : undefined) ?? (await this.#latest(filter.until));
    const earliest = (sort === 'asc' ? after?.createdAt : undefined) ?? filter.from;
    const span = (latest.getTime() - earliest.getTime()) * NEAREST;
    return within(
      pageQuery,
      sort === 'desc' ? { from: new Date(latest.getTime() - span) } : { until: new Date(earliest.getTime() + span) },
    );
  }

  /** When a list ends: a day far ahead may be asked for, before which nothing has happened yet. */
  async #latest(until = new Date(8.64e15)): Promise<Date> {
    const newest = 'select created_at from activity_events order by created_at desc limit 1';
    const [row] = await this.session.run<Pick<Place, 'created_at'>>(newest, []);
    const latest = row === undefined ? new Date(0) : this.session.dialect.readInstant(row.created_at);
    return until < latest ? until : latest;
  }
}

const within = (pageQuery: PageQuery, time: { readonly from: Date } | { readonly until: Date }): PageQuery => ({
  ...pageQuery,
  query: { ...pageQuery.query, filter: { ...pageQuery.query.filter, ...time } },
});

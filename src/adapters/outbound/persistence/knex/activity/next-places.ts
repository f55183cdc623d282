import type { Session } from '../session.js';
import { sql, type Sql } from '../sql.js';
import { inOrder, inTime, isOfOneKind, ofKind, source, wanted, type Place } from './feed-sql.js';
import type { Thresholds } from './thresholds.js';
import type { PageQuery } from './page-query.js';
import { seesAsParty, seesFeed, type VisibleFeeds } from './visible-feeds.js';

/** What the next entries of everybody have for a viewer. */
export interface Next {
  /** So many that come next, or less at the end of the list; `undefined` where it would take to go further. */
  readonly page: readonly Place[] | undefined;
  /**
   * Whether they see any of them, of whatever kind: where they don't, the next that they see are hardly near. Of one person's entries it
   * is taken for granted.
   */
  readonly near: boolean;
}

interface Glanced extends Place {
  readonly wanted: unknown;
}

/** Looks for a page among the next entries, whosever they are: who sees most of them finds it there. */
export class NextPlaces {
  constructor(
    private readonly session: Session,
    private readonly thresholds: Thresholds,
  ) {}

  async find(pageQuery: PageQuery): Promise<Next> {
    return pageQuery.query.feed.kind === 'author'
      ? { page: await this.#walk(pageQuery), near: true }
      : this.#glance(pageQuery);
  }

  async #glance({ query, visibleFeeds, after, count }: PageQuery): Promise<Next> {
    const { dialect } = this.session;
    const next = sql`select * from activity_events e where ${inTime(query, after, dialect)}
      ${inOrder(query)} limit ${this.thresholds.glance}`;
    // What is of another kind comes last: it only tells that there is something.
    const wantedFirst = isOfOneKind(query) ? 'wanted desc, ' : '';
    const seen = await this.#run<Glanced>(sql`select e.id, e.created_at, ${ofKind(query)} as wanted
      from (${next}) e where ${this.#sees('e', visibleFeeds)}
      order by ${wantedFirst}e.created_at ${query.sort}, e.id ${query.sort} limit ${count}`);
    const found = seen.filter((place) => Boolean(place.wanted));
    return { page: found.length === count ? found : undefined, near: seen.length > 0 };
  }

  async #walk(pageQuery: PageQuery): Promise<readonly Place[] | undefined> {
    const { query, visibleFeeds, count } = pageQuery;
    const { firstSteps, walk } = this.thresholds;
    for (const distance of visibleFeeds.complete ? [walk] : [firstSteps, walk]) {
      const found = await this.#run<Place>(sql`select walked.id, walked.created_at
        from (${this.#ofAuthor(pageQuery, sql`limit ${distance}`)}) walked
        where ${this.#sees('walked', visibleFeeds)} ${inOrder(query, 'walked')} limit ${count}`);
      if (found.length === count) return found;
      const beyond = await this.#run(this.#ofAuthor(pageQuery, sql`limit 1 offset ${distance}`));
      if (beyond.length === 0) return found;
    }
    return undefined;
  }

  #ofAuthor({ query, after }: PageQuery, limit: Sql): Sql {
    return sql`select e.id, e.created_at, e.feed, e.subject_id from activity_events e
      where ${source(query)} and ${wanted(query, after, this.session.dialect)} ${inOrder(query)} ${limit}`;
  }

  #sees(entry: string, visibleFeeds: VisibleFeeds): Sql {
    const { dialect } = this.session;
    const whole = seesFeed(`${entry}.feed`, visibleFeeds, dialect);
    return visibleFeeds.isParty ? sql`(${whole} or ${seesAsParty(entry, visibleFeeds, dialect)})` : whole;
  }

  #run<Row>({ text, bindings }: Sql): Promise<readonly Row[]> {
    return this.session.runPlannedAnew<Row>(text, bindings);
  }
}

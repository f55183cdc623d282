import { together } from '../../../../../application/shared/together.js';
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
    const { visibleFeeds, count } = pageQuery;
    const { firstSteps, walk } = this.thresholds;
    if (!visibleFeeds.complete) {
      const found = await this.#within(pageQuery, firstSteps);
      if (found.length === count) return found;
      // Most lists end before, and whether this one does is heard of as soon as what it has.
      const [further, ends] = await together([this.#within(pageQuery, walk), this.#endsWithin(pageQuery, walk)]);
      return further.length === count || ends ? further : undefined;
    }
    const found = await this.#within(pageQuery, walk);
    return found.length === count || (await this.#endsWithin(pageQuery, walk)) ? found : undefined;
  }

  /** What they see of so many entries of the author. */
  #within(pageQuery: PageQuery, distance: number): Promise<readonly Place[]> {
    const { query, visibleFeeds, count } = pageQuery;
    return this.#run<Place>(sql`select walked.id, walked.created_at
      from (${this.#ofAuthor(pageQuery, sql`limit ${distance}`)}) walked
      where ${this.#sees('walked', visibleFeeds)} ${inOrder(query, 'walked')} limit ${count}`);
  }

  async #endsWithin(pageQuery: PageQuery, distance: number): Promise<boolean> {
    return (await this.#run(this.#ofAuthor(pageQuery, sql`limit 1 offset ${distance}`))).length === 0;
  }

  /** By an index alone, but where a confidential issue may concern the viewer. */
  #ofAuthor({ query, visibleFeeds, after }: PageQuery, limit: Sql): Sql {
    const subject = visibleFeeds.isParty ? sql`e.subject_id` : sql`null as subject_id`;
    return sql`select e.id, e.created_at, e.feed, ${subject} from activity_events e
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

import type { ActivityQuery } from '../../../../../application/activity/ports/activity-reader.js';
import type { Viewer } from '../../../../../application/workspace/ports/workspace-readers.js';
import { ACCESS_LEVEL } from '../../../../../domain/shared/access-level.js';
import type { Dialect } from '../dialect/dialect.js';
import type { Session } from '../session.js';
import { grantedProjects, isOpenTo } from '../visibility/granted-projects.js';
import { bind, sql, type Sql } from '../sql.js';
import { feedOf } from './activity-row.js';
import type { GroupId, ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { Thresholds } from './thresholds.js';

/** What a viewer sees of a list, asked for once a request: every statement after it is of entries alone. */
export interface VisibleFeeds {
  readonly viewer: Viewer;
  /** Feeds that they see whole, as a binding for the lists of the dialect; one may be there several times. */
  readonly feeds: string;
  readonly count: number;
  /** Whether the list can come from no other feed. */
  readonly complete: boolean;
  /** Whether any confidential issue concerns them: mostly none is, and then nothing of them is looked for. */
  readonly isParty: boolean;
}

const REPORTER = ACCESS_LEVEL.reporter;

/** Asks what a viewer sees. */
export class VisibleFeedsReader {
  constructor(
    private readonly session: Session,
    private readonly thresholds: Thresholds,
  ) {}

  of({ feed, viewer }: ActivityQuery): Promise<VisibleFeeds> {
    if (feed.kind === 'project') return this.#ofProject(viewer, feed.projectId, feed.level);
    if (feed.kind === 'group') return this.#ofGroup(viewer, feed.groupId);
    if (feed.kind === 'memberships') return this.#asked(viewer, FEEDS_OF_MEMBER, sql`1 = 1`);
    if (viewer.admin) return Promise.resolve(this.#listed(viewer, [], { complete: false, isParty: false }));
    const few = sql`(select 1 from projects where visibility <> 'private' limit 1 offset ${this.thresholds.fewProjects}) is null`;
    return this.#asked(viewer, sql`${FEEDS_OF_MEMBER} union all ${feedsOpenTo(viewer)} and ${few}`, few);
  }

  async #ofProject(viewer: Viewer, projectId: ProjectId, level: number): Promise<VisibleFeeds> {
    const feeds = [feedOf(projectId, false), feedOf(projectId, true)];
    if (viewer.admin || level >= REPORTER) return this.#listed(viewer, feeds, { complete: true, isParty: false });
    const { text, bindings } = sql`select ${isParty(viewer)} as party`;
    const [row] = await this.session.run<{ party: unknown }>(text, bindings);
    return this.#listed(viewer, feeds.slice(0, 1), { complete: true, isParty: Boolean(row?.party) });
  }

  #ofGroup(viewer: Viewer, groupId: GroupId): Promise<VisibleFeeds> {
    const within = sql`namespace_id in (${idsBelow(groupId)})`;
    const feeds = viewer.admin
      ? sql`select p.id * 2 + second as feed from projects p ${WITH_SECOND}
          where p.${within} and p.removal_requested_at is null and (second = 0 or ${hasSecond('p.id')})`
      : sql`${FEEDS_OF_MEMBER} and project_id in (select id from projects where ${within})
          union all ${feedsOpenTo(viewer)} and p.${within}`;
    return this.#asked(viewer, feeds, sql`1 = 1`);
  }

  #listed(viewer: Viewer, feeds: readonly number[], more: Pick<VisibleFeeds, 'complete' | 'isParty'>): VisibleFeeds {
    return { viewer, feeds: this.session.dialect.writeNumbers(feeds), count: feeds.length, ...more };
  }

  async #asked(viewer: Viewer, feeds: Sql, complete: Sql): Promise<VisibleFeeds> {
    const { text, bindings } = sql`with recursive ${grantedProjects(viewer, this.session.dialect)}, seen as (${feeds})
      select ${this.session.dialect.numbersOf('feed')} as feeds, count(*) as count, ${complete} as complete,
        ${isParty(viewer)} as party
      from seen`;
    const [row] = await this.session.run<{ feeds: string; count: number; complete: unknown; party: unknown }>(
      text,
      bindings,
    );
    if (row === undefined) throw new Error('An aggregate has one row.');
    const { count, party } = row;
    return { viewer, feeds: row.feeds, count, complete: Boolean(row.complete), isParty: Boolean(party) };
  }
}

/** A project may have two feeds, and most have no second one. */
const WITH_SECOND: Sql = sql`cross join (select 0 as second union all select 1) feeds`;
const hasSecond = (project: string): Sql => sql`${project} * 2 + 1 in (select feed from confidential_feeds)`;

/** The feeds of every project that the viewer is a member of, in one go through what they were granted. */
const FEEDS_OF_MEMBER: Sql = sql`
  select project_id * 2 + second as feed from granted ${WITH_SECOND}
  where (second = 0 or (level >= ${REPORTER} and ${hasSecond('project_id')}))`;

/** The ids of a group, and of all below it. */
const idsBelow = (groupId: GroupId): Sql => sql`with recursive inside(id) as (
    select id from namespaces where id = ${bind(groupId)}
    union all select n.id from namespaces n join inside on n.parent_id = inside.id)
  select id from inside`;

/** The feeds of the projects that the viewer sees without being a member. */
const feedsOpenTo = (viewer: Viewer): Sql => sql`
  select p.id * 2 as feed from projects p where p.visibility <> 'private' and ${isOpenTo(viewer)}`;

/** Whether the viewer sees a feed whole. */
export const seesFeed = (feed: string, { viewer, feeds, complete }: VisibleFeeds, dialect: Dialect): Sql => {
  // Not `exists`, which a planner may answer by reading all projects there are.
  const isThere = (and: Sql): Sql => sql`(select p.id from projects p
    where p.id = ${feed} / 2 and ${and}) is not null`;
  if (viewer.admin && !complete) return isThere(sql`p.removal_requested_at is null`);
  const listed: Sql = { text: dialect.isListed(feed), bindings: [feeds] };
  if (complete) return listed;
  return sql`(${listed} or (${feed} % 2 = 0 and ${isThere(isOpenTo(viewer))}))`;
};

/** Whether they see an entry of a confidential feed that they don't see whole: they see the project, and the issue concerns them. */
export const seesAsParty = (entry: string, visibleFeeds: VisibleFeeds, dialect: Dialect): Sql => {
  if (!visibleFeeds.isParty) return sql`1 = 0`;
  const me = bind(visibleFeeds.viewer.userId ?? 0);
  return sql`(${entry}.feed % 2 = 1 and ${seesFeed(`(${entry}.feed - 1)`, visibleFeeds, dialect)} and exists (
      select 1 from issues i where i.id = ${entry}.subject_id and (i.author_id = ${me}
        or exists (select 1 from issue_assignees a where a.issue_id = i.id and a.user_id = ${me}))))`;
};

const issuesByThem = (me: Sql): Sql => sql`select i.id from issues i where i.author_id = ${me} and i.confidential`;

const issuesOfThem = (me: Sql): Sql => sql`
  select i.id from issue_assignees a join issues i on i.id = a.issue_id where a.user_id = ${me} and i.confidential`;

/** The confidential issues that the viewer has to do with. */
export const issuesAsParty = ({ userId }: Viewer): Sql => {
  const me = bind(userId ?? 0);
  return sql`${issuesByThem(me)} union ${issuesOfThem(me)}`;
};

/** Whether there are any, as far as the first. An administrator sees them all without having to do with them. */
const isParty = ({ userId, admin }: Viewer): Sql => {
  if (admin) return sql`1 = 0`;
  const me = bind(userId ?? 0);
  return sql`(exists (${issuesByThem(me)}) or exists (${issuesOfThem(me)}))`;
};

/** The rows of a list of numbers. */
export const listOf = (numbers: string, dialect: Dialect): Sql => ({ text: dialect.listed, bindings: [numbers] });

/** Whether a column is in a list of numbers, as a range of an index. */
export const among = (column: string, numbers: string, dialect: Dialect): Sql => ({
  text: dialect.among(column),
  bindings: [numbers],
});

/** The feeds one by one, where they are few. */
export const feedsOf = ({ feeds }: VisibleFeeds): readonly number[] => [...new Set(feeds.match(/\d+/g))].map(Number);

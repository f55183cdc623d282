import type { ActivityQuery, Position } from '../../../../../application/activity/ports/activity-reader.js';
import type { Viewer } from '../../../../../application/workspace/ports/workspace-readers.js';
import type { UserId } from '../../../../../domain/shared/identifiers.js';
import { ACCESS_LEVEL } from '../../../../../domain/workspace/access-level.js';
import type { Dialect } from '../dialect/dialect.js';
import { openTo } from '../workspace/accessible.js';
import { codeOfAction, codeOfTargetType } from './activity-row.js';

/** A piece of SQL with what its `?` stand for. */
export interface Sql {
  readonly text: string;
  readonly bindings: readonly unknown[];
}

/** Joins pieces, so that bindings stay in the order of their places. */
export const sql = (parts: TemplateStringsArray, ...values: readonly (Sql | string | number)[]): Sql => {
  let text = parts[0] ?? '';
  const bindings: unknown[] = [];
  values.forEach((value, index) => {
    if (typeof value === 'object') {
      text += value.text;
      bindings.push(...value.bindings);
    } else text += String(value);
    text += parts[index + 1] ?? '';
  });
  return { text, bindings };
};

export const bind = (value: unknown): Sql => ({ text: '?', bindings: [value] });
export const NOTHING: Sql = { text: '', bindings: [] };

export const joinSql = (pieces: readonly Sql[], separator: string): Sql => ({
  text: pieces.map(({ text }) => text).join(separator),
  bindings: pieces.flatMap(({ bindings }) => bindings),
});

const REPORTER = ACCESS_LEVEL.reporter;

const visibilities = (viewer: Viewer): Sql => joinSql(openTo(viewer).map(bind), ', ');

/**
 * Common table expressions of what a viewer is a member of: `reach(namespace_id, level)` of namespaces, `mine(project_id, level)` of
 * projects, by a membership of their own or through the groups above.
 */
export const memberships = ({ userId, today }: Viewer): Sql => {
  const [me, day] = [bind(userId ?? 0), bind(today)];
  return sql`spread(namespace_id, level) as (
      select namespace_id, level from (
        select g.namespace_id, g.access_level as level from group_members g
          where g.user_id = ${me} and (g.expires_at is null or g.expires_at > ${day})
        union all
        select n.id, ${ACCESS_LEVEL.owner} from namespaces n where n.owner_id = ${me}
      ) granted
      union
      select n.id, spread.level from namespaces n join spread on n.parent_id = spread.namespace_id
    ),
    reach as (select namespace_id, max(level) as level from spread group by namespace_id),
    mine as (
      select project_id, max(level) as level from (
        select m.project_id, m.access_level as level from project_members m
          where m.user_id = ${me} and (m.expires_at is null or m.expires_at > ${day})
        union all
        select p.id, r.level from reach r join projects p on p.namespace_id = r.namespace_id
      ) levels group by project_id
    )`;
};

/** What is being removed is gone for everybody; it is little, and an index of its own knows it. */
const GOING: Sql = sql`select p.id from projects p where p.removal_requested_at is not null`;

/** The feeds of every project that the viewer is a member of. */
export const FEEDS_OF_MEMBER: Sql = sql`
  select mine.project_id * 2 as feed from mine where mine.project_id not in (${GOING})
  union all
  select c.feed from confidential_feeds c join mine on mine.project_id = (c.feed - 1) / 2
    where mine.level >= ${REPORTER} and mine.project_id not in (${GOING})`;

/** The feeds of the projects that the viewer sees without being a member. */
export const feedsOpenTo = (viewer: Viewer): Sql => sql`
  select p.id * 2 as feed from projects p
  where p.visibility <> 'private' and p.visibility in (${visibilities(viewer)}) and p.removal_requested_at is null`;

/** The common table expression `written(feed)` of all feeds that have an entry of a person, found by jumps from one to the next. */
export const feedsWrittenBy = (authorId: UserId): Sql => {
  const next = (beyond: Sql): Sql =>
    sql`select min(e.feed) from activity_events e where e.author_id = ${bind(authorId)} ${beyond}`;
  return sql`written(feed) as (
      select (${next(NOTHING)})
      union all
      select (${next(sql`and e.feed > written.feed`)}) from written where written.feed is not null
    )`;
};

/** Whether the viewer has to do with the issue of an entry, so that he sees it though it is confidential. */
const isParty = (entry: string, { userId }: Viewer): Sql => sql`exists (
    select 1 from issues i where i.id = ${entry}.issue_id and (i.author_id = ${bind(userId ?? 0)}
      or exists (select 1 from issue_assignees a where a.issue_id = i.id and a.user_id = ${bind(userId ?? 0)})))`;

/** The level of the viewer in the project `p`, which `mine` need not have been counted out for. */
const hasLevel = (least: string | number, { userId, today }: Viewer): Sql => sql`(
    exists (select 1 from project_members m where m.project_id = p.id and m.user_id = ${bind(userId ?? 0)}
      and m.access_level >= ${least} and (m.expires_at is null or m.expires_at > ${bind(today)}))
    or exists (select 1 from reach r where r.namespace_id = p.namespace_id and r.level >= ${least}))`;

/** Whether a feed is one of a project that the viewer is a member of, and he sees it whole. */
export const isOfMember = (feed: string, viewer: Viewer): Sql => sql`exists (
    select 1 from projects p where p.id = ${feed} / 2 and p.removal_requested_at is null
      and ${hasLevel(`case when ${feed} % 2 = 0 then 0 else ${REPORTER} end`, viewer)})`;

/** Whether the viewer sees a feed whole. */
export const seesFeed = (feed: string, viewer: Viewer): Sql => {
  const project = sql`select 1 from projects p where p.id = ${feed} / 2 and p.removal_requested_at is null`;
  if (viewer.admin) return sql`exists (${project})`;
  return sql`exists (${project} and (
    (${feed} % 2 = 0 and p.visibility in (${visibilities(viewer)})) or ${hasLevel(`case when ${feed} % 2 = 0 then 0 else ${REPORTER} end`, viewer)}))`;
};

/** Whether the viewer sees an entry of a confidential feed that he doesn't see whole: he sees the project, and has to do with the issue. */
export const seesAsParty = (entry: string, viewer: Viewer): Sql => {
  if (viewer.admin) return sql`1 = 0`;
  return sql`(${entry}.feed % 2 = 1 and exists (select 1 from projects p where p.id = ${entry}.feed / 2
      and p.removal_requested_at is null and (p.visibility in (${visibilities(viewer)}) or ${hasLevel(0, viewer)}))
    and ${isParty(entry, viewer)})`;
};

/** The issues that the viewer has to do with and that are confidential. */
export const issuesAsParty = ({ userId }: Viewer): Sql => sql`
  select i.id from issues i where i.author_id = ${bind(userId ?? 0)} and i.confidential
  union
  select i.id from issue_assignees a join issues i on i.id = a.issue_id where a.user_id = ${bind(userId ?? 0)} and i.confidential`;

/** What a filter and the place in the list demand of the entry `e`, with the columns that the indexes begin with. */
export const wanted = ({ filter, sort }: ActivityQuery, after: Position | undefined, dialect: Dialect): Sql => {
  const { action, targetType, from, until } = filter;
  const pieces = [
    ...(action === undefined ? [] : [sql`e.action = ${bind(codeOfAction(action))}`]),
    ...(targetType === undefined ? [] : [sql`e.target_type = ${bind(codeOfTargetType(targetType))}`]),
    sql`e.created_at >= ${bind(dialect.writeInstant(from))}`,
    ...(until === undefined ? [] : [sql`e.created_at < ${bind(dialect.writeInstant(until))}`]),
    ...(after === undefined
      ? []
      : [
          sql`(e.created_at, e.id) ${sort === 'desc' ? '<' : '>'} (${bind(dialect.writeInstant(after.createdAt))}, ${bind(after.id)})`,
        ]),
  ];
  return joinSql(pieces, ' and ');
};

/** The order of a list, of the columns of `of`. */
export const inOrder = ({ sort }: ActivityQuery, of = 'e'): Sql =>
  sql`order by ${of}.created_at ${sort}, ${of}.id ${sort}`;

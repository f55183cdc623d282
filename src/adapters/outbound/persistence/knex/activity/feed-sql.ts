import type { ActivityQuery, Position } from '../../../../../application/activity/ports/activity-reader.js';
import type { UserId } from '../../../../../domain/shared/identifiers.js';
import type { Dialect } from '../dialect/dialect.js';
import { bind, joinSql, NOTHING, sql, type Sql } from '../sql.js';
import { codeOfAction, codeOfTargetType } from './activity-row.js';

/** Where an entry stands in its list. */
export interface Place {
  readonly id: number;
  readonly created_at: unknown;
}

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

/** What a filter and the place in the list demand of the entry `e`, with the columns that the indexes begin with. */
export const wanted = (query: ActivityQuery, after: Position | undefined, dialect: Dialect): Sql =>
  joinSql([...kinds(query), inTime(query, after, dialect)], ' and ');

/** Whether the entry `e` is of the kind that a filter demands. */
export const ofKind = (query: ActivityQuery): Sql => joinSql([sql`1 = 1`, ...kinds(query)], ' and ');

export const isOfOneKind = (query: ActivityQuery): boolean => kinds(query).length > 0;

const kinds = ({ filter: { action, targetType } }: ActivityQuery): Sql[] => [
  ...(action === undefined ? [] : [sql`e.action = ${bind(codeOfAction(action))}`]),
  ...(targetType === undefined ? [] : [sql`e.target_type = ${bind(codeOfTargetType(targetType))}`]),
];

/**
 * From when to when: of the end of the filter and the place in the list only what is narrower. Of two bounds at one end a planner may
 * begin at the wider one, and go through all pages before this one.
 */
export const inTime = ({ filter, sort }: ActivityQuery, after: Position | undefined, dialect: Dialect): Sql => {
  const { from, until } = filter;
  const begin = sql`e.created_at >= ${bind(dialect.writeInstant(from))}`;
  const end = until === undefined ? [] : [sql`e.created_at < ${bind(dialect.writeInstant(until))}`];
  if (after === undefined) return joinSql([begin, ...end], ' and ');
  const place = sql`(e.created_at, e.id) ${sort === 'desc' ? '<' : '>'} (${bind(dialect.writeInstant(after.createdAt))}, ${bind(after.id)})`;
  if (sort === 'asc') return joinSql([after.createdAt < from ? begin : place, ...end], ' and ');
  return joinSql([begin, ...(until !== undefined && after.createdAt >= until ? end : [place])], ' and ');
};

/** The order of a list, of the columns of `of`. */
export const inOrder = ({ sort }: ActivityQuery, of = 'e'): Sql =>
  sql`order by ${of}.created_at ${sort}, ${of}.id ${sort}`;

/** The entries of one person, as an index begins with them. */
export const source = ({ feed }: ActivityQuery): Sql =>
  feed.kind === 'author' ? sql`e.author_id = ${bind(feed.authorId)}` : sql`1 = 1`;

/** The entries `e` of some feeds: those of one person by an index of their feeds, and not by one of what everybody did there. */
export const entriesOf = ({ feed, filter }: ActivityQuery, dialect: Dialect): string => {
  if (feed.kind !== 'author') return 'activity_events e';
  const filters = [
    ...(filter.action === undefined ? [] : ['action']),
    ...(filter.targetType === undefined ? [] : ['type']),
  ];
  const index = `activity_events_of_author_by_${filters.join('_and_') || 'feed'}`;
  return `activity_events e ${dialect.byIndex(index)}`;
};

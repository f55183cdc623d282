import type { ActivityQuery, Position } from '../../../../../application/activity/ports/activity-reader.js';
import type { EventFilter } from '../../../../../domain/activity/event-filter.js';
import type { UserId } from '../../../../../domain/shared/identifiers.js';
import type { Dialect } from '../dialect/dialect.js';
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

/** The entries of one person, as an index begins with him. */
export const source = ({ feed }: ActivityQuery): Sql =>
  feed.kind === 'author' ? sql`e.author_id = ${bind(feed.authorId)}` : sql`1 = 1`;

/** The entries `e` of some feeds: those of one person by the index of his feeds, and not by that of what everybody did there. */
export const entriesOf = ({ feed }: ActivityQuery, dialect: Dialect): string =>
  `activity_events e ${feed.kind === 'author' ? dialect.byIndex('activity_events_of_author_by_feed') : ''}`;

/** The query without all that is no matter of time. */
export const ofAnyKind = (query: ActivityQuery): ActivityQuery => ({ ...query, filter: rangeOf(query) });

const rangeOf = ({ filter: { from, until } }: ActivityQuery): EventFilter => ({
  from,
  ...(until === undefined ? {} : { until }),
});

/** What is wanted of a list's entries in a feed. Of one person's it is written so that no index of the other conditions is taken. */
export const wantedOfFeed = (query: ActivityQuery, after: Position | undefined, dialect: Dialect): Sql => {
  if (query.feed.kind !== 'author') return wanted(query, after, dialect);
  const { action, targetType } = query.filter;
  return joinSql(
    [
      source(query),
      wanted(ofAnyKind(query), after, dialect),
      ...(action === undefined ? [] : [sql`e.action + 0 = ${bind(codeOfAction(action))}`]),
      ...(targetType === undefined ? [] : [sql`e.target_type + 0 = ${bind(codeOfTargetType(targetType))}`]),
    ],
    ' and ',
  );
};

/** Whether entries of some kinds only are wanted. */
export const isNarrowed = ({ filter }: ActivityQuery): boolean =>
  filter.action !== undefined || filter.targetType !== undefined;

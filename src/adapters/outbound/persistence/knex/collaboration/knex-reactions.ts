import type { Reaction, ReactionQuery } from '../../../../../application/collaboration/ports/award-ports.js';
import { amongIds, onceOf } from '../kept-queries.js';
import type { Session } from '../session.js';

/** Whatever was given, a page is read as fast: what is beyond is not counted. */
const MOST_READ = 10_000;
/** Emoji of one thing. */
const MOST_KINDS = 20;
/** People of one emoji. */
const MOST_NAMED = 10;

/** No id of anybody. */
const NOBODY = 0;

interface ReactionRow {
  readonly note_id: number | null;
  readonly award_name: string;
  readonly user_id: number;
  readonly called: string;
  readonly place: number | string;
  readonly total: number | string;
}

type Values = { readonly subjectId: number; readonly ids: string; readonly userId: number };

/** A row for each of the people that are named, and for the reader. */
const findReactions = onceOf((session) =>
  session.keep<ReactionRow, Values>(['subjectId', 'ids', 'userId'], (query, { subjectId, ids, userId }) => {
    const among = amongIds(session, query, ids);
    const given = query('awards')
      .where({ subject_id: subjectId })
      .where((thing) => void thing.whereNull('note_id').orWhere(among('note_id')))
      .orderBy('id')
      .limit(MOST_READ)
      .select('id', 'note_id', 'name', 'user_id');
    const counted = query.from(given.as('given')).select('id', 'note_id', 'name', 'user_id', {
      place: query.raw('row_number() over (partition by note_id, name order by id)'),
      total: query.raw('count(*) over (partition by note_id, name)'),
      begun: query.raw('min(id) over (partition by note_id, name)'),
    });
    const ranked = query.from(counted.as('counted')).select('note_id', 'name', 'user_id', 'place', 'total', 'begun', {
      kind: query.raw('dense_rank() over (partition by note_id order by begun)'),
    });
    return query
      .from(ranked.as('ranked'))
      .join('users', 'users.id', 'ranked.user_id')
      .where('ranked.kind', '<=', MOST_KINDS)
      .where((row) => void row.where('ranked.place', '<=', MOST_NAMED).orWhere('ranked.user_id', userId))
      .orderBy('ranked.begun')
      .orderBy('ranked.place')
      .select('ranked.note_id', 'ranked.user_id', 'ranked.place', 'ranked.total', {
        award_name: 'ranked.name',
        called: 'users.name',
      });
  }),
);

/** What was given to a subject and to some comments on it, in one query. */
export const reactionsOn = async (
  session: Session,
  { subjectId, noteIds, userId }: ReactionQuery,
): Promise<readonly Reaction[]> => {
  const ids = session.dialect.writeNumbers(noteIds);
  const rows = await findReactions(session)({ subjectId, ids, userId: userId ?? NOBODY });
  const byEmoji = Map.groupBy(rows, ({ note_id, award_name }) => `${note_id ?? ''} ${award_name}`);
  return [...byEmoji.values()].map((given) => ({
    noteId: given[0]!.note_id,
    name: given[0]!.award_name,
    count: Number(given[0]!.total),
    own: given.some(({ user_id }) => user_id === userId),
    people: given.filter(({ place }) => Number(place) <= MOST_NAMED).map(({ called }) => called),
  }));
};

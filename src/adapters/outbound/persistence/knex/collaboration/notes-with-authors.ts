import type { NoteWithAuthor, Resolution } from '../../../../../application/collaboration/ports/note-ports.js';
import { readPeople } from '../identity/people.js';
import type { Session } from '../session.js';
import { toPlace } from './discussion-place-row.js';
import { toNote, type NoteRow } from './knex-note-repository.js';
import { toSuggestion } from './knex-suggestion-repository.js';

/** Notes with those who wrote them, with where they are, and with what became of their discussions. */
export const withAuthors = async (session: Session, rows: readonly NoteRow[]): Promise<NoteWithAuthor[]> => {
  const { dialect } = session;
  const discussions = [...new Set(rows.flatMap(({ discussion_id }) => discussion_id ?? []))];
  const resolved = await resolvedOf(session, discussions);
  const people = await readPeople(session, [
    ...rows.map(({ author_id }) => author_id),
    ...resolved.map(({ resolved_by_id }) => resolved_by_id),
  ]);
  const resolutions = new Map<number | null, Resolution>(
    resolved.map((row) => [
      row.id,
      { at: dialect.readInstant(row.resolved_at), by: people.get(row.resolved_by_id) ?? null },
    ]),
  );
  const places = await placesOf(session, discussions);
  const placed = rows.filter(({ discussion_id }) => discussion_id !== null && places.has(discussion_id));
  const suggestions = await suggestionsOf(session, placed);
  return rows.map((row) => ({
    ...toNote(row, dialect),
    author: people.get(row.author_id) ?? null,
    resolution: row.discussion_id === null ? null : (resolutions.get(row.discussion_id) ?? null),
    place: row.discussion_id === null ? null : (places.get(row.discussion_id) ?? null),
    suggestions: suggestions.get(row.id) ?? [],
  }));
};

const resolvedOf = async ({ query }: Session, discussions: readonly number[]) =>
  discussions.length === 0
    ? []
    : query('discussions')
        .whereIn('id', [...discussions])
        .whereNotNull('resolved_at')
        .select('id', 'resolved_at', 'resolved_by_id');

const placesOf = async ({ query }: Session, discussions: readonly number[]) => {
  const rows =
    discussions.length === 0 ? [] : await query('discussion_positions').whereIn('discussion_id', [...discussions]);
  return new Map(rows.map((row) => [row.discussion_id, toPlace(row)]));
};

const suggestionsOf = async ({ query }: Session, notes: readonly NoteRow[]) => {
  const ids = notes.map(({ id }) => id);
  const rows = ids.length === 0 ? [] : await query('suggestions').whereIn('note_id', ids).orderBy('id');
  return Map.groupBy(
    rows.map((row) => ({ ...toSuggestion(row), noteId: row.note_id })),
    ({ noteId }) => noteId,
  );
};

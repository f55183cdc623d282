import type { NoteWithAuthor, Resolution } from '../../../../../application/collaboration/ports/note-ports.js';
import { readPeople } from '../identity/people.js';
import type { Session } from '../session.js';
import { toNote, type NoteRow } from './knex-note-repository.js';

/** Notes with those who wrote them, and with what became of their discussions. */
export const withAuthors = async (session: Session, rows: readonly NoteRow[]): Promise<NoteWithAuthor[]> => {
  const { query, dialect } = session;
  const discussions = [...new Set(rows.flatMap(({ discussion_id }) => discussion_id ?? []))];
  const resolved =
    discussions.length === 0
      ? []
      : await query('discussions')
          .whereIn('id', discussions)
          .whereNotNull('resolved_at')
          .select('id', 'resolved_at', 'resolved_by_id');
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
  return rows.map((row) => ({
    ...toNote(row, dialect),
    author: people.get(row.author_id) ?? null,
    resolution: row.discussion_id === null ? null : (resolutions.get(row.discussion_id) ?? null),
  }));
};

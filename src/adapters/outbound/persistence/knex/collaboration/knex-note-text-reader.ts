import type { NoteText, NoteTextReader } from '../../../../../application/collaboration/ports/copy-ports.js';
import { refuseTooMuch } from '../../../../../domain/collaboration/copied-notes.js';
import { bytesOf, readInBatches, type SizedRow } from '../read-in-batches.js';
import type { Session } from '../session.js';

export class KnexNoteTextReader implements NoteTextReader {
  constructor(private readonly session: Session) {}

  async *read(subjectId: number): AsyncGenerator<readonly NoteText[], void, undefined> {
    const { query, dialect } = this.session;
    const rows = (await query('notes')
      .where({ subject_id: subjectId, system: false })
      .orderBy('id')
      .select('id', { bytes: query.raw('octet_length(body)') })) as SizedRow[];
    refuseTooMuch({ notes: rows.length, bytes: rows.reduce((sum, row) => sum + bytesOf(row), 0) });
    yield* readInBatches(rows, bytesOf, async (few) => {
      const ids = few.map(({ id }) => id);
      const notes = await query('notes').whereIn('id', ids).select('id', 'body', 'updated_at');
      return notes.map(({ id, body, updated_at }) => ({
        id,
        body,
        changedAt: dialect.readInstant(updated_at).getTime(),
      }));
    });
  }
}

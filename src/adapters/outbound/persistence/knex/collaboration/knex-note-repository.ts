import type { NewNote, Note, NoteRepository } from '../../../../../application/collaboration/ports/note-ports.js';
import type { Dialect } from '../dialect/dialect.js';
import { insertInto } from '../insert-rows.js';
import type { Session } from '../session.js';
import type { RowOf } from '../tables.js';

export type NoteRow = RowOf<'notes'>;

export const toNote = (row: NoteRow, dialect: Dialect): Note => ({
  id: row.id,
  subjectId: row.subject_id,
  authorId: row.author_id,
  body: row.body,
  system: Boolean(row.system),
  discussionId: row.discussion_id,
  createdAt: dialect.readInstant(row.created_at),
  updatedAt: dialect.readInstant(row.updated_at),
});

const INSERT = insertInto('notes', [
  'subject_id',
  'author_id',
  'body',
  'system',
  'discussion_id',
  'created_at',
  'updated_at',
]);

export class KnexNoteRepository implements NoteRepository {
  constructor(private readonly session: Session) {}

  async add(note: NewNote): Promise<Note> {
    const { query, dialect } = this.session;
    const at = dialect.writeInstant(note.createdAt);
    const { subjectId: subject_id, authorId: author_id, body, system, discussionId: discussion_id = null } = note;
    const [row] = await query('notes')
      .insert({ subject_id, author_id, body, system, discussion_id, created_at: at, updated_at: at })
      .returning('*');
    return toNote(row!, dialect);
  }

  async addAll(notes: readonly NewNote[]): Promise<void> {
    const { dialect } = this.session;
    const rows = notes.map(({ subjectId, authorId, body, system, discussionId = null, createdAt }) => {
      const at = dialect.writeInstant(createdAt);
      return [subjectId, authorId, body, system, discussionId, at, at];
    });
    await INSERT(this.session, rows);
  }

  async find(id: number): Promise<Note | undefined> {
    const row = await this.session.query('notes').where({ id }).first();
    return row && toNote(row, this.session.dialect);
  }

  async hasSystemNote(subjectId: number, body: string): Promise<boolean> {
    const row = await this.session.query('notes').where({ subject_id: subjectId, system: true, body }).first('id');
    return row !== undefined;
  }

  async take(id: number): Promise<Note | undefined> {
    const { query, dialect } = this.session;
    const [row] = await dialect.lockRows(query('notes').where({ id }));
    return row && toNote(row, dialect);
  }

  async update(id: number, body: string, at: Date): Promise<void> {
    const { query, dialect } = this.session;
    await query('notes')
      .where({ id })
      .update({ body, updated_at: dialect.writeInstant(at) });
  }

  async remove(id: number): Promise<void> {
    await this.session.query('notes').where({ id }).delete();
  }
}

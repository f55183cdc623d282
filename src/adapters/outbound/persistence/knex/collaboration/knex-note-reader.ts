import type { Knex } from 'knex';
import type {
  NamedSuggestion,
  NoteQuery,
  NoteReader,
  NoteWithAuthor,
} from '../../../../../application/collaboration/ports/note-ports.js';
import type { PageInBatches } from '../../../../../application/shared/page-in-batches.js';
import { pageOfRows } from '../page-of-rows.js';
import { bytesOf, inOrderOf, readInBatches, type SizedRow } from '../read-in-batches.js';
import type { Session } from '../session.js';
import { pageBefore, pageOf } from './comment-pages.js';
import { withAuthors } from './notes-with-authors.js';

export class KnexNoteReader implements NoteReader {
  constructor(private readonly session: Session) {}

  async list(
    subjectId: number,
    { orderBy, sort, page, after, system }: NoteQuery,
  ): Promise<PageInBatches<NoteWithAuthor>> {
    const { query } = this.session;
    const list = query('notes')
      .where({ subject_id: subjectId })
      .where((part) => void (after !== undefined && part.where('id', '>', after)))
      .where((part) => void (system !== undefined && part.where({ system })))
      .orderBy(
        orderBy === 'id' ? [{ column: 'id', order: sort }] : [orderBy, 'id'].map((column) => ({ column, order: sort })),
      )
      .select('id', { bytes: query.raw('octet_length(body)') });
    const { items, ...rest } = await pageOfRows(this.session, list, page, (row: SizedRow) => row);
    const read = async (rows: readonly SizedRow[]): Promise<readonly NoteWithAuthor[]> => {
      const ids = rows.map(({ id }) => id);
      const notes = await query('notes').where({ subject_id: subjectId }).whereIn('id', ids);
      return withAuthors(this.session, inOrderOf(ids, notes));
    };
    return { ...rest, batches: readInBatches(items, bytesOf, read) };
  }

  async find(subjectId: number, id: number): Promise<NoteWithAuthor | undefined> {
    const row = await this.session.query('notes').where({ subject_id: subjectId, id }).first();
    return row && (await withAuthors(this.session, [row]))[0];
  }

  pageOf(subjectId: number, noteId: number, perPage: number): Promise<number> {
    return pageOf(this.session, this.#entries(subjectId), noteId, perPage);
  }

  pageBefore(subjectId: number, after: number, perPage: number): Promise<number> {
    return pageBefore(this.#entries(subjectId), after, perPage);
  }

  async findSuggestions(ids: readonly number[]): Promise<readonly NamedSuggestion[]> {
    const rows = (await this.session
      .query('suggestions')
      .join('notes', 'notes.id', 'suggestions.note_id')
      .whereIn('suggestions.id', [...ids])
      .orderBy('suggestions.id')
      .select('suggestions.id', { noteId: 'notes.id' }, { subjectId: 'notes.subject_id' })) as NamedSuggestion[];
    return rows;
  }

  #entries(subjectId: number): Knex.QueryBuilder {
    return this.session.query('notes').where({ subject_id: subjectId });
  }
}

import type { Knex } from 'knex';
import type {
  DiscussionReader,
  DiscussionWithNotes,
  PlacedDiscussion,
} from '../../../../../application/collaboration/ports/discussion-ports.js';
import type { PageInBatches } from '../../../../../application/shared/page-in-batches.js';
import type { PageRequest } from '../../../../../domain/shared/page.js';
import { pageOfRows } from '../page-of-rows.js';
import { bytesOf, readInBatches, type SizedRow } from '../read-in-batches.js';
import type { Session } from '../session.js';
import type { RowOf } from '../tables.js';
import { pageBefore, pageOf } from './comment-pages.js';
import { toPlace } from './discussion-place-row.js';
import { withAuthors } from './notes-with-authors.js';

type PlacedRow = RowOf<'discussion_positions'> & Pick<RowOf<'discussions'>, 'first_note_id'>;

/** Each may be as large as a discussion can be. */
const FEW = 5;

export class KnexDiscussionReader implements DiscussionReader {
  constructor(private readonly session: Session) {}

  async list(subjectId: number, page: PageRequest, after = 0): Promise<PageInBatches<DiscussionWithNotes>> {
    const { query } = this.session;
    const alone = query('notes')
      .where({ subject_id: subjectId, discussion_id: null })
      .select('id', { bytes: query.raw('octet_length(body)') });
    const whole = query('notes').whereRaw('notes.discussion_id = discussions.id');
    const together = (query('discussions') as Knex.QueryBuilder)
      .where({ subject_id: subjectId })
      .select({ id: 'first_note_id' }, { bytes: whole.select(query.raw('sum(octet_length(body))')) });
    const list = query
      .from((alone as Knex.QueryBuilder).unionAll(together).as('beginnings'))
      .where('id', '>', after)
      .orderBy('id')
      .select('id', 'bytes');
    const { items, ...rest } = await pageOfRows(this.session, list, page, (row: SizedRow) => row);
    const read = (rows: readonly SizedRow[]) =>
      this.#read(
        subjectId,
        rows.map(({ id }) => Number(id)),
      );
    return { ...rest, batches: readInBatches(items, bytesOf, read) };
  }

  async find(subjectId: number, firstNoteId: number): Promise<DiscussionWithNotes | undefined> {
    return (await this.#read(subjectId, [firstNoteId]))[0];
  }

  async placed(
    subjectId: number,
    { after, limit }: { readonly after: number; readonly limit: number },
  ): Promise<readonly PlacedDiscussion[]> {
    const rows = (await this.session
      .query('discussion_positions')
      .join('discussions', 'discussions.id', 'discussion_positions.discussion_id')
      .where('discussions.subject_id', subjectId)
      .where('discussions.first_note_id', '>', after)
      .orderBy('discussions.first_note_id')
      .limit(limit)
      .select('discussion_positions.*', 'discussions.first_note_id')) as PlacedRow[];
    return rows.map((row) => ({ ...toPlace(row), id: row.discussion_id, firstNoteId: Number(row.first_note_id) }));
  }

  async ofNote(subjectId: number, noteId: number): Promise<number | undefined> {
    const { query } = this.session;
    const discussion = query('notes').where({ id: noteId, subject_id: subjectId }).select('discussion_id');
    const row = await query('discussions').whereIn('id', discussion).first('first_note_id');
    return row && Number(row.first_note_id);
  }

  async pageOf(subjectId: number, noteId: number, perPage: number): Promise<number> {
    const first = (await this.ofNote(subjectId, noteId)) ?? noteId;
    return pageOf(this.session, this.#beginnings(subjectId), first, perPage);
  }

  pageBefore(subjectId: number, after: number, perPage: number): Promise<number> {
    return pageBefore(this.#beginnings(subjectId), after, perPage);
  }

  async *some(subjectId: number, firstNoteIds: readonly number[]): AsyncIterable<readonly DiscussionWithNotes[]> {
    for (let read = 0; read < firstNoteIds.length; read += FEW)
      yield await this.#read(subjectId, firstNoteIds.slice(read, read + FEW));
  }

  /** The ids of the notes that discussions begin with. */
  #beginnings(subjectId: number): Knex.QueryBuilder {
    const { query } = this.session;
    const alone = query('notes').where({ subject_id: subjectId, discussion_id: null }).select('id');
    const together = (query('discussions') as Knex.QueryBuilder)
      .where({ subject_id: subjectId })
      .select({ id: 'first_note_id' });
    return query.from((alone as Knex.QueryBuilder).unionAll(together).as('beginnings'));
  }

  async #read(subjectId: number, firstNoteIds: readonly number[]): Promise<readonly DiscussionWithNotes[]> {
    const { query } = this.session;
    // In one statement: between two a comment that stands alone may become a discussion, and would be in neither.
    const rows = await query('notes')
      .where({ subject_id: subjectId })
      .where((part) => {
        void part
          .where((alone) => void alone.whereNull('discussion_id').whereIn('id', [...firstNoteIds]))
          .orWhereIn(
            'discussion_id',
            query('discussions')
              .where({ subject_id: subjectId })
              .whereIn('first_note_id', [...firstNoteIds])
              .select('id'),
          );
      })
      .orderBy('id');
    const found = new Set(rows.map(({ discussion_id }) => discussion_id).filter((id) => id !== null));
    const discussions = await query('discussions')
      .whereIn('id', [...found])
      .select('id', 'first_note_id');
    const notes = await withAuthors(this.session, rows);
    return firstNoteIds.flatMap((firstNoteId) => {
      const discussion = discussions.find(({ first_note_id }) => Number(first_note_id) === firstNoteId);
      const inside = notes.filter(({ id, discussionId }) =>
        discussion === undefined ? id === firstNoteId && discussionId === null : discussionId === discussion.id,
      );
      return inside.length === 0 ? [] : [{ firstNoteId, individual: discussion === undefined, notes: inside }];
    });
  }
}

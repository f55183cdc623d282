import type {
  DraftNote,
  DraftNoteRepository,
  NewDraftNote,
} from '../../../../../application/collaboration/ports/draft-ports.js';
import type { DraftsSize } from '../../../../../domain/collaboration/draft-note.js';
import type { DiffPosition, DiscussionPlace, ExcerptLine } from '../../../../../domain/shared/diff-position.js';
import type { UserId } from '../../../../../domain/shared/identifiers.js';
import type { Dialect } from '../dialect/dialect.js';
import type { Session } from '../session.js';
import type { RowOf } from '../tables.js';
import { positionText } from './discussion-place-row.js';

type Row = RowOf<'draft_notes'>;

const placeOf = ({ position: written, excerpt }: Row): DiscussionPlace | null => {
  if (written === null) return null;
  const position = JSON.parse(written) as DiffPosition;
  return {
    position,
    original: position,
    outdated: false,
    excerpt: JSON.parse(excerpt ?? '[]') as readonly ExcerptLine[],
  };
};

/** Nobody follows a draft through the code: where it was written is all there is to keep. */
const placeColumns = (place: DiscussionPlace | null): Pick<Row, 'position' | 'excerpt'> => ({
  position: place && positionText(place.original),
  excerpt: place && JSON.stringify(place.excerpt),
});

const toDraftNote = (row: Row, dialect: Dialect): DraftNote => ({
  id: row.id,
  subjectId: row.subject_id,
  authorId: row.author_id,
  body: row.body,
  answers: row.answered_note_id,
  resolves: Boolean(row.resolves),
  commitId: row.commit_id,
  place: placeOf(row),
  createdAt: dialect.readInstant(row.created_at),
  updatedAt: dialect.readInstant(row.updated_at),
});

/** For a repository and a reader alike. */
export class KnexDraftNotes implements DraftNoteRepository {
  constructor(private readonly session: Session) {}

  async hold(subjectId: number, authorId: UserId): Promise<void> {
    await this.session.hold(`draft notes of ${subjectId} by ${authorId}`);
  }

  async all(subjectId: number, authorId: UserId): Promise<readonly DraftNote[]> {
    const { query, dialect } = this.session;
    const rows = await query('draft_notes').where({ subject_id: subjectId, author_id: authorId }).orderBy('id');
    return rows.map((row) => toDraftNote(row, dialect));
  }

  async find(subjectId: number, authorId: UserId, id: number): Promise<DraftNote | undefined> {
    const { query, dialect } = this.session;
    const row = await query('draft_notes').where({ id, subject_id: subjectId, author_id: authorId }).first();
    return row && toDraftNote(row, dialect);
  }

  async answerable(subjectId: number, noteIds: readonly number[]): Promise<ReadonlySet<number>> {
    if (noteIds.length === 0) return new Set();
    const notes = this.session.query('notes').where({ subject_id: subjectId });
    const rows = await notes.whereIn('id', [...noteIds]).select('id');
    return new Set(rows.map(({ id }) => id));
  }

  async add(draft: NewDraftNote): Promise<DraftNote> {
    const { query, dialect } = this.session;
    const at = dialect.writeInstant(draft.createdAt);
    const [row] = await query('draft_notes')
      .insert({
        subject_id: draft.subjectId,
        author_id: draft.authorId,
        body: draft.body,
        answered_note_id: draft.answers,
        resolves: draft.resolves,
        commit_id: draft.commitId,
        ...placeColumns(draft.place),
        created_at: at,
        updated_at: at,
      })
      .returning('*');
    return toDraftNote(row!, dialect);
  }

  async sizeOf(subjectId: number, authorId: UserId): Promise<DraftsSize> {
    const { query } = this.session;
    const row = (await query('draft_notes')
      .where({ subject_id: subjectId, author_id: authorId })
      .first({ drafts: query.raw('count(*)'), bytes: query.raw('coalesce(sum(octet_length(body)), 0)') })) as {
      drafts: number | string;
      bytes: number | string;
    };
    return { drafts: Number(row.drafts), bytes: Number(row.bytes) };
  }

  async update(id: number, { body, place, updatedAt }: Pick<DraftNote, 'body' | 'place' | 'updatedAt'>): Promise<void> {
    const { query, dialect } = this.session;
    await query('draft_notes')
      .where({ id })
      .update({ body, ...placeColumns(place), updated_at: dialect.writeInstant(updatedAt) });
  }

  async remove(ids: readonly number[]): Promise<void> {
    await this.session
      .query('draft_notes')
      .whereIn('id', [...ids])
      .delete();
  }
}

import type {
  Discussion,
  DiscussionRepository,
} from '../../../../../application/collaboration/ports/discussion-ports.js';
import type { DiffPosition, DiscussionPlace } from '../../../../../domain/shared/diff-position.js';
import type { DiscussionSize } from '../../../../../domain/collaboration/discussion.js';
import type { UserId } from '../../../../../domain/shared/identifiers.js';
import type { Session } from '../session.js';
import { positionText, toPlaceRow } from './discussion-place-row.js';

export class KnexDiscussionRepository implements DiscussionRepository {
  constructor(private readonly session: Session) {}

  async begin(subjectId: number, firstNoteId: number, place?: DiscussionPlace): Promise<number> {
    const { query } = this.session;
    // Of many who answer one comment at once, one begins the discussion.
    await query('discussions')
      .insert({ subject_id: subjectId, first_note_id: firstNoteId })
      .onConflict(['subject_id', 'first_note_id'])
      .ignore();
    const row = await query('discussions').where({ subject_id: subjectId, first_note_id: firstNoteId }).first('id');
    await query('notes').where({ id: firstNoteId }).update({ discussion_id: row!.id });
    if (place !== undefined) await query('discussion_positions').insert(toPlaceRow(row!.id, place));
    return row!.id;
  }

  async move(id: number, from: DiffPosition, to: DiffPosition | null): Promise<void> {
    await this.session
      .query('discussion_positions')
      .where({ discussion_id: id, position: positionText(from), outdated: false })
      .update(to === null ? { outdated: true } : { position: positionText(to) });
  }

  async take(subjectId: number, firstNoteId: number): Promise<Discussion | undefined> {
    const { query, dialect } = this.session;
    const [row] = await dialect.lockRows(
      query('discussions').where({ subject_id: subjectId, first_note_id: firstNoteId }),
    );
    return row && { id: row.id, resolved: row.resolved_at !== null };
  }

  async takeOrBegin(subjectId: number, firstNoteId: number): Promise<Discussion | undefined> {
    const known = await this.take(subjectId, firstNoteId);
    if (known !== undefined) return known;
    const alone = { id: firstNoteId, subject_id: subjectId, discussion_id: null, system: false };
    const [note] = await this.session.dialect.lockRows(this.session.query('notes').where(alone));
    if (note !== undefined) await this.begin(subjectId, firstNoteId);
    return this.take(subjectId, firstNoteId);
  }

  async hold(id: number): Promise<void> {
    const { query, dialect } = this.session;
    await dialect.lockRows(query('discussions').where({ id }).select('id'));
  }

  async sizeOf(id: number): Promise<DiscussionSize> {
    const { query } = this.session;
    const row = (await query('notes')
      .where({ discussion_id: id })
      .first({ notes: query.raw('count(*)'), bytes: query.raw('coalesce(sum(octet_length(body)), 0)') })) as {
      notes: number | string;
      bytes: number | string;
    };
    return { notes: Number(row.notes), bytes: Number(row.bytes) };
  }

  async resolve(id: number, by: UserId, at: Date): Promise<void> {
    const { query, dialect } = this.session;
    await query('discussions')
      .where({ id })
      .update({ resolved_at: dialect.writeInstant(at), resolved_by_id: by });
  }

  async reopen(id: number): Promise<void> {
    await this.session.query('discussions').where({ id }).update({ resolved_at: null, resolved_by_id: null });
  }

  async removeEmpty(id: number): Promise<void> {
    const { query } = this.session;
    await query('discussions')
      .where({ id })
      .whereNotExists(query('notes').where({ discussion_id: id }).select('id'))
      .delete();
  }
}

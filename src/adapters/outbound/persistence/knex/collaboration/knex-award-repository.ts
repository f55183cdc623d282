import { AlreadyGiven, type AwardRepository } from '../../../../../application/collaboration/ports/award-ports.js';
import type { Awarded } from '../../../../../domain/collaboration/award.js';
import type { UserId } from '../../../../../domain/shared/identifiers.js';
import { onUniqueViolation } from '../dialect/on-unique-violation.js';
import type { Session } from '../session.js';

const taken = () => new AlreadyGiven();
const REFUSALS = { awards_subject_id_name_user_id_unique: taken, awards_note_id_name_user_id_unique: taken };

export class KnexAwardRepository implements AwardRepository {
  constructor(private readonly session: Session) {}

  async add(
    { subjectId, noteId }: Awarded,
    { name, userId, at }: { readonly name: string; readonly userId: UserId; readonly at: Date },
  ): Promise<number> {
    const { query, dialect } = this.session;
    const given = {
      subject_id: subjectId,
      note_id: noteId,
      user_id: userId,
      name,
      created_at: dialect.writeInstant(at),
    };
    const [row] = await onUniqueViolation(query('awards').insert(given).returning('id'), REFUSALS);
    return row!.id;
  }

  async remove(id: number): Promise<void> {
    await this.session.query('awards').where({ id }).delete();
  }

  async removeOf(
    { subjectId, noteId }: Awarded,
    { name, userId }: { readonly name: string; readonly userId: UserId },
  ): Promise<void> {
    const given = { subject_id: subjectId, note_id: noteId, user_id: userId, name };
    await this.session.query('awards').where(given).delete();
  }
}

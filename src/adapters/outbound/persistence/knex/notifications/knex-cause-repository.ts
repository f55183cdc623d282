import type {
  Cause,
  CauseDetails,
  CauseRepository,
  NewCause,
} from '../../../../../application/notifications/ports/cause-ports.js';
import type { UserId } from '../../../../../domain/shared/identifiers.js';
import type { Session } from '../session.js';

/** For repositories and readers alike. */
export class KnexCauseRepository implements CauseRepository {
  constructor(private readonly session: Session) {}

  async add(cause: NewCause, expiresAt: Date): Promise<number> {
    const { query, dialect } = this.session;
    const [row] = await query('notification_causes')
      .insert({
        kind: cause.kind,
        project_id: cause.projectId,
        subject_id: cause.subjectId ?? null,
        note_id: cause.noteId ?? null,
        alert_id: cause.alertId ?? null,
        actor_id: cause.actorId ?? null,
        details: JSON.stringify(cause.details),
        told_up_to: 0,
        created_at: dialect.writeInstant(cause.at),
        expires_at: dialect.writeInstant(expiresAt),
      })
      .returning('id');
    return row!.id;
  }

  async find(id: number): Promise<Cause | undefined> {
    const { query, dialect } = this.session;
    const row = await query('notification_causes').where({ id }).first();
    return (
      row && {
        id: row.id,
        kind: row.kind,
        projectId: row.project_id,
        subjectId: row.subject_id,
        noteId: row.note_id,
        alertId: row.alert_id,
        actorId: row.actor_id,
        details: JSON.parse(row.details) as CauseDetails,
        toldUpTo: row.told_up_to,
        at: dialect.readInstant(row.created_at),
      }
    );
  }

  async tellUpTo(id: number, userId: UserId): Promise<void> {
    await this.session.query('notification_causes').where({ id }).update({ told_up_to: userId });
  }
}

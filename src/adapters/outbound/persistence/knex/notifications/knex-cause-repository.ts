import type {
  Cause,
  CauseDetails,
  CauseRepository,
  NewCause,
} from '../../../../../application/notifications/ports/cause-ports.js';
import type { UserId } from '../../../../../domain/shared/identifiers.js';
import { insertInto } from '../insert-rows.js';
import type { Session } from '../session.js';

const INSERT = insertInto(
  'notification_causes',
  [
    'kind',
    'project_id',
    'subject_id',
    'note_id',
    'alert_id',
    'actor_id',
    'details',
    'told_up_to',
    'created_at',
    'expires_at',
  ],
  'returning id',
);

/** For repositories and readers alike. */
export class KnexCauseRepository implements CauseRepository {
  constructor(private readonly session: Session) {}

  async add(causes: readonly (NewCause & { readonly expiresAt: Date })[]): Promise<readonly number[]> {
    const { dialect } = this.session;
    const rows = causes.map((cause) => [
      cause.kind,
      cause.projectId,
      cause.subjectId ?? null,
      cause.noteId ?? null,
      cause.alertId ?? null,
      cause.actorId ?? null,
      JSON.stringify(cause.details),
      0,
      dialect.writeInstant(cause.at),
      dialect.writeInstant(cause.expiresAt),
    ]);
    const added = await INSERT<{ readonly id: number }>(this.session, rows);
    return added.map(({ id }) => id);
  }

  async findAll(ids: readonly number[]): Promise<readonly Cause[]> {
    const { query, dialect } = this.session;
    const rows = await query('notification_causes')
      .whereIn('id', [...ids])
      .orderBy('id');
    return rows.map((row) => ({
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
    }));
  }

  async tellUpTo(id: number, userId: UserId): Promise<void> {
    await this.session.query('notification_causes').where({ id }).update({ told_up_to: userId });
  }
}

import type {
  ActivityRepository,
  NewActivityEvent,
  RemovedEntries,
} from '../../../../../application/activity/ports/activity-repository.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { Session } from '../session.js';
import { codeOfAction, codeOfTargetType, feedOf, NOTE, type Details } from './activity-row.js';
import type { Place } from './feed-sql.js';

const TABLE = 'activity_events';

const RECORD = `insert into activity_events
    (feed, author_id, action, target_type, target_id, target_iid, target_title, subject_id, details, created_at)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

const detailsOf = ({ push, comment }: NewActivityEvent): string | null => {
  const details: Details = { ...(push === null ? {} : { push }), ...(comment === null ? {} : { comment }) };
  return Object.keys(details).length === 0 ? null : JSON.stringify(details);
};

export class KnexActivityRepository implements ActivityRepository {
  constructor(private readonly session: Session) {}

  async record(event: NewActivityEvent): Promise<void> {
    const { projectId, authorId, action, target, subjectId, createdAt } = event;
    const confidential = await this.#isConfidential(event);
    if (confidential) await this.#noteConfidentialFeed(projectId);
    await this.session.run(RECORD, [
      feedOf(projectId, confidential),
      authorId,
      codeOfAction(action),
      target === null ? 0 : codeOfTargetType(target.type),
      target?.id ?? null,
      target?.iid ?? null,
      target?.title ?? null,
      subjectId,
      detailsOf(event),
      this.session.dialect.writeInstant(createdAt),
    ]);
  }

  async conceal(projectId: ProjectId, subjectId: number, confidential: boolean): Promise<void> {
    if (confidential) await this.#noteConfidentialFeed(projectId);
    await this.session
      .query(TABLE)
      .where({ subject_id: subjectId })
      .update({ feed: feedOf(projectId, confidential) });
  }

  async keepComments(subjectId: number): Promise<void> {
    const { query } = this.session;
    const rows = (await query({ event: TABLE })
      .join('notes', 'notes.id', 'event.target_id')
      .where({ 'event.subject_id': subjectId, 'event.target_type': NOTE })
      .select('event.id', 'event.details', 'notes.body')) as { id: number; details: string; body: string }[];
    for (const { id, details, body } of rows) {
      const { comment, ...rest } = JSON.parse(details) as Details;
      await query(TABLE)
        .where({ id })
        .update({ details: JSON.stringify({ ...rest, comment: { ...comment, body } }) });
    }
  }

  async forgetComment(subjectId: number, noteId: number): Promise<void> {
    await this.session.query(TABLE).where({ subject_id: subjectId, target_type: NOTE, target_id: noteId }).delete();
  }

  async removeOlderThan(instant: Date, limit: number, from?: Date): Promise<RemovedEntries> {
    const { query, dialect } = this.session;
    const tooOld = query(TABLE).where('created_at', '<', dialect.writeInstant(instant));
    const left = from === undefined ? tooOld : tooOld.where('created_at', '>=', dialect.writeInstant(from));
    const old = await left.orderBy('created_at').limit(limit).select<Place[]>('id', 'created_at');
    const youngest = old.at(-1);
    if (youngest === undefined) return { count: 0 };
    const ids = old.map(({ id }) => id);
    const count = await query(TABLE).whereIn('id', ids).delete();
    return { count, reached: dialect.readInstant(youngest.created_at) };
  }

  removeOfProject(projectId: ProjectId, limit: number): Promise<number> {
    const { query } = this.session;
    const feeds = [feedOf(projectId, false), feedOf(projectId, true)];
    const some = query(TABLE).whereIn('feed', feeds).limit(limit).select('id');
    return query(TABLE).whereIn('id', some).delete();
  }

  /** As its issue is at this moment: somebody may be concealing it. */
  async #isConfidential({ subjectId, confidential }: NewActivityEvent): Promise<boolean> {
    if (subjectId === null) return confidential;
    const sql = `select confidential from issues where id = ? ${this.session.dialect.rowLock}`;
    const [issue] = await this.session.run<{ confidential: boolean | number }>(sql, [subjectId]);
    return issue === undefined ? confidential : Boolean(issue.confidential);
  }

  async #noteConfidentialFeed(projectId: ProjectId): Promise<void> {
    const sql = 'insert into confidential_feeds (feed) values (?) on conflict (feed) do nothing';
    await this.session.run(sql, [feedOf(projectId, true)]);
  }
}

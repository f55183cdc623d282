import type { Knex } from 'knex';
import type {
  ActivityRepository,
  FeedPlace,
  NewActivityEvent,
  RemovedEntries,
} from '../../../../../application/activity/ports/activity-repository.js';
import { together } from '../../../../../application/shared/together.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import { insertInto } from '../insert-rows.js';
import type { Session } from '../session.js';
import type { RowOf } from '../tables.js';
import { codeOfAction, codeOfTargetType, feedOf, NOTE, type Details } from './activity-row.js';
import type { Place } from './feed-sql.js';

const TABLE = 'activity_events';
const PUSHED = codeOfAction('pushed');
const MERGE_REQUEST = codeOfTargetType('merge_request');

const INSERT = insertInto(TABLE, [
  'feed',
  'author_id',
  'action',
  'target_type',
  'target_id',
  'target_iid',
  'target_title',
  'subject_id',
  'details',
  'created_at',
]);

const INSERT_FEEDS = insertInto('confidential_feeds', ['feed'], 'on conflict (feed) do nothing');

const detailsOf = ({ push, comment }: NewActivityEvent): string | null => {
  const details: Details = { ...(push === null ? {} : { push }), ...(comment === null ? {} : { comment }) };
  return Object.keys(details).length === 0 ? null : JSON.stringify(details);
};

type EntryRow = Pick<RowOf<'activity_events'>, 'action' | 'target_type' | 'details'>;

/** Pushes, merge requests, and what was said of those and of commits. */
const tellsOfCode = ({ action, target_type: type, details }: EntryRow): boolean => {
  if (action === PUSHED || type === MERGE_REQUEST) return true;
  if (type !== NOTE || details === null) return false;
  const { comment } = JSON.parse(details) as Details;
  return comment?.noteableType === 'MergeRequest' || comment?.noteableType === 'Commit';
};

export class KnexActivityRepository implements ActivityRepository {
  constructor(private readonly session: Session) {}

  async record(events: readonly NewActivityEvent[]): Promise<void> {
    const { dialect } = this.session;
    const [hidden, closed] = await together([this.#areConfidential(events), this.#whereCodeIsClosed(events)]);
    const confidential = events.map(
      ({ subjectId, confidential: told, tellsOfCode, projectId }) =>
        hidden.get(subjectId) ?? (told || (tellsOfCode && closed.has(projectId))),
    );
    await this.#noteConfidentialFeeds(events.flatMap(({ projectId }, index) => (confidential[index] ? projectId : [])));
    const rows = events.map((event, index) => {
      const { projectId, authorId, action, target, subjectId, createdAt } = event;
      return [
        feedOf(projectId, confidential[index]!),
        authorId,
        codeOfAction(action),
        target === null ? 0 : codeOfTargetType(target.type),
        target?.id ?? null,
        target?.iid ?? null,
        target?.title ?? null,
        subjectId,
        detailsOf(event),
        dialect.writeInstant(createdAt),
      ];
    });
    await INSERT(this.session, rows);
  }

  async conceal(projectId: ProjectId, subjectId: number, confidential: boolean): Promise<void> {
    if (confidential) await this.#noteConfidentialFeeds([projectId]);
    await this.session
      .query(TABLE)
      .where({ subject_id: subjectId })
      .update({ feed: feedOf(projectId, confidential) });
  }

  async fileEntriesOfCode({ projectId, after }: FeedPlace, limit: number): Promise<FeedPlace | undefined> {
    const { query, dialect } = this.session;
    const project = await query('projects').where({ id: projectId }).first('visibility');
    if (project === undefined) return undefined;
    const closed = project.visibility === 'private';
    const feed = query(TABLE).where({ feed: feedOf(projectId, !closed) });
    if (after !== undefined)
      void feed.whereRaw('(created_at, id) > (?, ?)', [dialect.writeInstant(after.createdAt) as Knex.Value, after.id]);
    const rows = (await feed
      .orderBy(['created_at', 'id'])
      .limit(limit)
      .select('id', 'created_at', 'action', 'target_type', 'details')) as (EntryRow & Place)[];
    const ids = rows.filter(tellsOfCode).map(({ id }) => id);
    if (closed && ids.length > 0) await this.#noteConfidentialFeeds([projectId]);
    await query(TABLE)
      .whereIn('id', ids)
      .update({ feed: feedOf(projectId, closed) });
    const last = rows.length < limit ? undefined : rows.at(-1);
    return last && { projectId, after: { createdAt: dialect.readInstant(last.created_at), id: last.id } };
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

  /** Whether the issues among the subjects are confidential at this moment, held: somebody may be concealing one. */
  async #areConfidential(events: readonly NewActivityEvent[]): Promise<ReadonlyMap<number | null, boolean>> {
    const { dialect } = this.session;
    const subjects = [...new Set(events.flatMap(({ subjectId }) => subjectId ?? []))];
    if (subjects.length === 0) return new Map();
    const sql = `select id, confidential from issues where ${dialect.among('id')} order by id ${dialect.rowLock}`;
    const issues = await this.session.run<Pick<RowOf<'issues'>, 'id' | 'confidential'>>(sql, [
      dialect.writeNumbers(subjects),
    ]);
    return new Map(issues.map(({ id, confidential }) => [id, Boolean(confidential)]));
  }

  /** The projects whose code not everybody may read who sees them. */
  async #whereCodeIsClosed(events: readonly NewActivityEvent[]): Promise<ReadonlySet<ProjectId>> {
    const projects = new Set(events.flatMap(({ tellsOfCode, projectId }) => (tellsOfCode ? projectId : [])));
    if (projects.size === 0) return new Set();
    const { dialect } = this.session;
    const closed = await this.session.run<Pick<RowOf<'projects'>, 'id'>>(
      `select id from projects where ${dialect.among('id')} and visibility = 'private'`,
      [dialect.writeNumbers([...projects])],
    );
    return new Set(closed.map(({ id }) => id));
  }

  async #noteConfidentialFeeds(projects: readonly ProjectId[]): Promise<void> {
    const feeds = [...new Set(projects)].sort((one, other) => one - other);
    await INSERT_FEEDS(
      this.session,
      feeds.map((projectId) => [feedOf(projectId, true)]),
    );
  }
}

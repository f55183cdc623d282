import type { Knex } from 'knex';
import type { Audience, Person, Topic } from '../../../../../application/notifications/ports/audience-ports.js';
import {
  isOfLabelling,
  isOfMention,
  isOpening,
  type Cause,
  type EndedPipeline,
} from '../../../../../application/notifications/ports/cause-ports.js';
import { ACCESS_LEVEL } from '../../../../../domain/shared/access-level.js';
import type { UserId } from '../../../../../domain/shared/identifiers.js';
import type { KnexSubjects } from '../collaboration/knex-subjects.js';
import { fromOrTo } from '../review/from-or-to.js';
import type { Session } from '../session.js';
import { levelsIn } from '../visibility/levels.js';
import { lineageOf } from '../visibility/lineage.js';
import { FEATURE_COLUMNS, toFeatures } from '../workspace/workspace-rows.js';
import { toSetting, type SettingRow } from './setting-row.js';

type OwnSettingRow = SettingRow & { readonly user_id: number };

const WATCHING = ['watch', 'custom'];

/** For repositories and readers alike. */
export class KnexAudience implements Audience {
  constructor(
    private readonly session: Session,
    private readonly subjects: KnexSubjects,
  ) {}

  async topicOf(cause: Cause): Promise<Topic | undefined> {
    const { query } = this.session;
    const project = await query('projects')
      .where({ id: cause.projectId })
      .whereNull('removal_requested_at')
      .first('id', 'namespace_id', 'name', 'full_path', 'visibility', ...FEATURE_COLUMNS);
    if (project === undefined) return undefined;
    const named = async (table: string, id: number | null, ...columns: string[]): Promise<unknown> =>
      id === null
        ? null
        : ((await query(table)
            .where({ id })
            .first(...columns)) ?? null);
    return {
      project: {
        id: project.id,
        namespaceId: project.namespace_id,
        name: project.name,
        fullPath: project.full_path,
        visibility: project.visibility,
        features: toFeatures(project),
      },
      subject: cause.subjectId === null ? null : ((await this.subjects.find(cause.subjectId)) ?? null),
      note: (await named('notes', cause.noteId, 'id', 'body')) as Topic['note'],
      alert: (await named('alerts', cause.alertId, 'id', 'iid', 'title', 'description')) as Topic['alert'],
      actor: (await named('users', cause.actorId, 'id', 'name')) as Topic['actor'],
      labels: await this.#labelNames(cause),
    };
  }

  async commentsWithNames(cause: Cause, limit: number): Promise<readonly string[]> {
    const notes = (await this.#commentsBefore(cause)
      .whereLike('body', '%@%')
      .orderBy('id', 'desc')
      .limit(limit)
      .select('body')) as { body: string }[];
    return notes.map(({ body }) => body);
  }

  async idsOfNames(names: readonly string[]): Promise<readonly UserId[]> {
    const rows = await this.session
      .query('users')
      .whereIn('username_key', [...names])
      .select('id');
    return rows.map(({ id }) => id);
  }

  async candidates(
    cause: Cause,
    topic: Topic,
    also: readonly UserId[],
    today: string,
    { after, limit }: { readonly after: number; readonly limit: number },
  ): Promise<readonly UserId[]> {
    const { query } = this.session;
    const concerned = this.#concerned(cause, topic, also, today);
    const ids = concerned.reduce((union, part) => union.unionAll(part));
    const rows = (await query('users')
      .whereIn('id', query.from(ids.as('concerned')).select('user_id'))
      .where('state', 'active')
      .where('id', '>', after)
      .orderBy('id')
      .limit(limit)
      .select('id')) as { id: UserId }[];
    return rows.map(({ id }) => id);
  }

  async people(cause: Cause, topic: Topic, ids: readonly UserId[], today: string): Promise<readonly Person[]> {
    const { query } = this.session;
    const rows = await query('users')
      .whereIn('id', [...ids])
      .orderBy('id')
      .select('id', 'name', 'state', 'admin');
    const levels = await this.#levels(topic, ids, today);
    const settings = await this.#settings(topic, ids);
    const said = await this.#subscriptions(topic, ids);
    const commented = await this.#commenters(cause, ids);
    const checked = await this.#whoseIsChecked(cause);
    const toLabels = await this.#subscribersOfLabels(cause, ids);
    const addresses = await this.#addresses(ids);
    return rows.map(({ id, name, state, admin }) => ({
      id,
      name,
      active: state === 'active',
      admin: Boolean(admin),
      level: levels.get(id) ?? ACCESS_LEVEL.none,
      settings: settings(id),
      subscribed: said.get(id),
      subscribedToLabel: toLabels.has(id),
      commented: commented.has(id),
      checked: checked.has(id),
      address: addresses.get(id) ?? null,
    }));
  }

  /** Queries of `user_id`, one a way to be concerned. */
  #concerned(cause: Cause, { project, subject }: Topic, also: readonly UserId[], today: string): Knex.QueryBuilder[] {
    const { query } = this.session;
    const everybody = levelsIn(query, project, { today }).map((members) =>
      query.from(members.as('m')).select('user_id'),
    );
    if (cause.kind === 'alert_opened' || cause.kind === 'alert_resolved') return everybody;
    const ofLabels = this.#ofLabels(cause).select('user_id');
    if (isOfLabelling(cause.kind)) return [ofLabels];
    const named = query('users')
      .whereIn('id', [...also])
      .select({ user_id: 'id' });
    if (isOfMention(cause.kind)) return [named];
    const choosers = [
      query('project_notification_settings')
        .where({ project_id: project.id })
        .whereIn('level', WATCHING)
        .select('user_id'),
      query('group_notification_settings')
        .whereIn('namespace_id', lineageOf(query, project.namespaceId).select('id'))
        .whereIn('level', WATCHING)
        .select('user_id'),
    ];
    if (cause.details.pipeline !== undefined)
      return [...choosers, ...this.#watching(everybody), ...this.#checked(cause, cause.details.pipeline)];
    if (cause.kind === 'moved_project') return [named, ...choosers, ...everybody];
    return [
      named,
      ...choosers,
      ...this.#watching(everybody),
      ofLabels,
      ...(subject === null ? [] : this.subjects.participants(subject)),
      query('subscriptions')
        .where({ subject_id: subject?.id ?? 0, subscribed: true })
        .select('user_id'),
      this.#commentsBefore(cause).whereNotNull('author_id').select({ user_id: 'author_id' }),
    ];
  }

  /** Of the members those alone who watch everywhere: the others take part, or are not concerned. */
  #watching(everybody: readonly Knex.QueryBuilder[]): readonly Knex.QueryBuilder[] {
    const watchers = this.session.query('notification_settings').whereIn('level', WATCHING).select('user_id');
    return everybody.map((members) => members.whereIn('user_id', watchers.clone()));
  }

  /** Whose open merge requests have the commit that was checked: those who opened them, and those they are assigned to. */
  #checked({ projectId }: Cause, { sha }: EndedPipeline): readonly Knex.QueryBuilder[] {
    const { query } = this.session;
    const open = () => fromOrTo(query('merge_requests').where({ source_sha: sha, state: 'opened' }), projectId);
    const assigned = query('merge_request_assignees')
      .whereIn('merge_request_id', open().select('merge_requests.id'))
      .select('user_id');
    return [open().whereNotNull('author_id').select({ user_id: 'author_id' }), assigned];
  }

  async #whoseIsChecked(cause: Cause): Promise<ReadonlySet<UserId>> {
    const { pipeline } = cause.details;
    if (pipeline === undefined) return new Set();
    const found = (await Promise.all(this.#checked(cause, pipeline))) as { user_id: UserId }[][];
    return new Set(found.flat().map(({ user_id: id }) => id));
  }

  async #levels({ project }: Topic, ids: readonly UserId[], today: string): Promise<ReadonlyMap<UserId, number>> {
    const { query } = this.session;
    const levels = new Map<UserId, number>();
    const [first, ...others] = levelsIn(query, project, { today, of: ids });
    const rows = (await first!.unionAll(others)) as { user_id: UserId; level: number }[];
    for (const row of rows) levels.set(row.user_id, Math.max(levels.get(row.user_id) ?? 0, row.level));
    return levels;
  }

  async #settings({ project }: Topic, ids: readonly UserId[]): Promise<(id: UserId) => Person['settings']> {
    const { query } = this.session;
    const wanted = [...ids];
    const columns = ['user_id', 'level', 'events'] as const;
    const ofProject = await query('project_notification_settings')
      .where({ project_id: project.id })
      .whereIn('user_id', wanted)
      .select(...columns);
    const ofGroups = (await lineageOf(query, project.namespaceId)
      .join('group_notification_settings', 'group_notification_settings.namespace_id', 'lineage.id')
      .whereIn('user_id', wanted)
      .orderBy('lineage.distance')
      .select(...columns, { group_id: 'lineage.id' })) as (OwnSettingRow & { group_id: number })[];
    const global = await query('notification_settings')
      .whereIn('user_id', wanted)
      .select(...columns);
    const of = (rows: readonly OwnSettingRow[], id: UserId): OwnSettingRow | undefined =>
      rows.find((row) => row.user_id === id);
    return (id) => {
      const [own, everywhere] = [of(ofProject, id), of(global, id)];
      return {
        ...(own === undefined ? {} : { project: toSetting(own) }),
        groups: ofGroups
          .filter((row) => row.user_id === id)
          .map((row) => ({ ...toSetting(row), groupId: row.group_id })),
        ...(everywhere === undefined ? {} : { global: toSetting(everywhere) }),
      };
    };
  }

  async #subscriptions({ subject }: Topic, ids: readonly UserId[]): Promise<ReadonlyMap<UserId, boolean>> {
    const rows = await this.session
      .query('subscriptions')
      .where({ subject_id: subject?.id ?? 0 })
      .whereIn('user_id', [...ids])
      .select('user_id', 'subscribed');
    return new Map(rows.map((row) => [row.user_id, Boolean(row.subscribed)]));
  }

  #ofLabels({ details: { labels = [] } }: Cause) {
    return this.session.query('label_subscriptions').whereIn('label_id', [...labels]);
  }

  async #subscribersOfLabels(cause: Cause, ids: readonly UserId[]): Promise<ReadonlySet<UserId>> {
    if (cause.details.labels === undefined) return new Set();
    const rows = await this.#ofLabels(cause)
      .whereIn('user_id', [...ids])
      .distinct('user_id');
    return new Set(rows.map((row) => row.user_id));
  }

  /** They may have been removed since, or be of another project: issues move. */
  async #labelNames({ projectId, details: { labels = [] } }: Cause): Promise<readonly string[]> {
    if (labels.length === 0) return [];
    return this.session
      .query('labels')
      .where({ project_id: projectId })
      .whereIn('id', [...labels])
      .orderBy('name')
      .pluck('name');
  }

  async #commenters(cause: Cause, ids: readonly UserId[]): Promise<ReadonlySet<UserId>> {
    const rows = await this.#commentsBefore(cause)
      .whereIn('author_id', [...ids])
      .distinct('author_id');
    return new Set(rows.flatMap((row) => row.author_id ?? []));
  }

  /** The comments up to the one that was just written: who comments after it, or after the subject was opened, had no part in that. */
  #commentsBefore({ kind, subjectId, noteId }: Cause) {
    const { query } = this.session;
    const comments = query('notes').where({ subject_id: isOpening(kind) ? 0 : (subjectId ?? 0), system: false });
    return noteId === null ? comments : comments.where('id', '<=', noteId);
  }

  async #addresses(ids: readonly UserId[]): Promise<ReadonlyMap<UserId, string>> {
    const { query } = this.session;
    const chosen = await query('notification_settings')
      .whereIn('user_id', [...ids])
      .whereNotNull('email_id')
      .select('email_id');
    const choices = new Set(chosen.map(({ email_id }) => email_id));
    const rows = await query('emails')
      .whereIn('user_id', [...ids])
      .whereNotNull('confirmed_at')
      .select('id', 'user_id', 'address', 'is_primary');
    const addresses = new Map<UserId, string>();
    for (const row of rows) if (Boolean(row.is_primary)) addresses.set(row.user_id, row.address);
    for (const row of rows) if (choices.has(row.id)) addresses.set(row.user_id, row.address);
    return addresses;
  }
}

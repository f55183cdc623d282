import type {
  Audience,
  Person,
  Topic,
  TopicProject,
} from '../../../../../application/notifications/ports/audience-ports.js';
import {
  isOfAlert,
  isOfLabelling,
  isOfMention,
  isOpening,
  type Cause,
} from '../../../../../application/notifications/ports/cause-ports.js';
import type { UserId } from '../../../../../domain/shared/identifiers.js';
import type { KnexSubjects } from '../collaboration/knex-subjects.js';
import type { FindAll, Session } from '../session.js';
import { readTopics } from './knex-topics.js';
import { commentsBefore, labelSubscriptions, PeopleBeside, whoseIsChecked } from './people-beside.js';
import { ProjectPeople, type Part, type Slice } from './project-people.js';

/** Finds something of some people, whose ids `writeNumbers` writes. */
type FindOf<Given, Row = object> = FindAll<Row & { readonly user_id: UserId }, Given & { readonly ids: string }>;

const partsConcerned = ({ kind }: Cause): readonly Part[] => {
  if (isOfAlert(kind)) return ['members'];
  if (isOfLabelling(kind) || isOfMention(kind)) return [];
  return kind === 'moved_project' ? ['members', 'choosers'] : ['choosers'];
};

/** For repositories and readers alike. */
export class KnexAudience implements Audience {
  readonly #beside: PeopleBeside;
  /** Topics that were found together share the project, and with it what is found of its people. */
  readonly #inProjects = new WeakMap<TopicProject, ProjectPeople>();
  readonly #findSaid: FindOf<{ readonly subjectId: number }, { readonly subscribed: unknown }>;
  readonly #findSubscribers: FindOf<{ readonly labels: string }>;

  constructor(
    private readonly session: Session,
    private readonly subjects: KnexSubjects,
  ) {
    this.#beside = new PeopleBeside(session, subjects);
    this.#findSaid = session.keep(['subjectId', 'ids'], (query, { subjectId, ids }) =>
      query('subscriptions')
        .where({ subject_id: subjectId })
        .whereRaw(session.dialect.among('user_id'), [ids])
        .select('user_id', 'subscribed'),
    );
    this.#findSubscribers = session.keep(['labels', 'ids'], (query, { labels, ids }) =>
      query
        .from(
          labelSubscriptions(query, session.dialect, labels)
            .reduce((union, part) => union.unionAll(part))
            .as('following'),
        )
        .whereRaw(session.dialect.among('user_id'), [ids])
        .select('user_id'),
    );
  }

  topicsOf(causes: readonly Cause[]): Promise<ReadonlyMap<number, Topic>> {
    return readTopics(this.session, this.subjects, causes);
  }

  async commentsWithNames(cause: Cause, limit: number): Promise<readonly string[]> {
    if (isOpening(cause.kind)) return [];
    const comments = commentsBefore(this.session.query, cause).whereLike('body', '%@%');
    const notes = (await comments.orderBy('id', 'desc').limit(limit).select('body')) as { body: string }[];
    return notes.map(({ body }) => body);
  }

  async idsOfNames(names: readonly string[]): Promise<ReadonlyMap<string, UserId>> {
    if (names.length === 0) return new Map();
    const rows = await this.session
      .query('users')
      .whereIn('username_key', [...names])
      .select('id', 'username_key');
    return new Map(rows.map(({ id, username_key: name }) => [name, id]));
  }

  async candidates(
    cause: Cause,
    topic: Topic,
    also: readonly UserId[],
    today: string,
    slice: Slice,
  ): Promise<readonly UserId[]> {
    const inProject = this.#inProject(topic.project, today);
    const found = [...(await this.#beside.idsOf(cause, topic, also, slice))];
    for (const part of partsConcerned(cause)) found.push(...(await inProject.idsOf(part, slice)));
    return [...new Set(found)].sort((one, other) => one - other).slice(0, slice.limit);
  }

  async people(cause: Cause, topic: Topic, ids: readonly UserId[], today: string): Promise<readonly Person[]> {
    if (ids.length === 0) return [];
    const found = await this.#inProject(topic.project, today).findAll(ids);
    const said = await this.#subscriptions(cause, ids);
    const commented = await this.#commenters(cause, ids);
    const checked = await this.#whoseIsChecked(cause);
    const toLabels = await this.#subscribersOfLabels(cause, ids);
    return found.map((person) => ({
      ...person,
      subscribed: said.get(person.id),
      subscribedToLabel: toLabels.has(person.id),
      commented: commented.has(person.id),
      checked: checked.has(person.id),
    }));
  }

  #inProject(project: TopicProject, today: string): ProjectPeople {
    const people = this.#inProjects.get(project) ?? new ProjectPeople(this.session, project, today);
    this.#inProjects.set(project, people);
    return people;
  }

  async #whoseIsChecked({ projectId, details: { pipeline } }: Cause): Promise<ReadonlySet<UserId>> {
    if (pipeline === undefined) return new Set();
    const queries = whoseIsChecked(this.session.query, { projectId, sha: pipeline.sha });
    const found = (await Promise.all(queries)) as { user_id: UserId }[][];
    return new Set(found.flat().map(({ user_id: id }) => id));
  }

  async #subscriptions({ subjectId }: Cause, ids: readonly UserId[]): Promise<ReadonlyMap<UserId, boolean>> {
    if (subjectId === null) return new Map();
    const rows = await this.#findSaid({ subjectId, ids: this.session.dialect.writeNumbers(ids) });
    return new Map(rows.map((row) => [row.user_id, Boolean(row.subscribed)]));
  }

  async #subscribersOfLabels({ details }: Cause, ids: readonly UserId[]): Promise<ReadonlySet<UserId>> {
    const { labels = [] } = details;
    if (labels.length === 0) return new Set();
    const { dialect } = this.session;
    const rows = await this.#findSubscribers({ labels: dialect.writeNumbers(labels), ids: dialect.writeNumbers(ids) });
    return new Set(rows.map((row) => row.user_id));
  }

  async #commenters(cause: Cause, ids: readonly UserId[]): Promise<ReadonlySet<UserId>> {
    if (isOpening(cause.kind)) return new Set();
    const rows = (await commentsBefore(this.session.query, cause)
      .whereIn('author_id', [...ids])
      .distinct('author_id')) as { author_id: UserId | null }[];
    return new Set(rows.flatMap((row) => row.author_id ?? []));
  }
}

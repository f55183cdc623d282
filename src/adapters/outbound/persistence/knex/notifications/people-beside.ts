import type { Knex } from 'knex';
import type { Topic } from '../../../../../application/notifications/ports/audience-ports.js';
import {
  isOfAlert,
  isOfLabelling,
  isOfMention,
  isOfPipeline,
  isOpening,
  type Cause,
} from '../../../../../application/notifications/ports/cause-ports.js';
import type { ProjectId, UserId } from '../../../../../domain/shared/identifiers.js';
import type { SubjectKind } from '../../../../../domain/shared/subject.js';
import type { KnexSubjects } from '../collaboration/knex-subjects.js';
import { fromOrTo } from '../review/from-or-to.js';
import type { Dialect } from '../dialect/dialect.js';
import type { FindAll, Session } from '../session.js';
import { activeAmong, type Slice } from './project-people.js';

/** A way to be concerned by more than what somebody is in the project. */
type Way = 'named' | 'label' | 'participant' | 'subscriber' | 'commenter' | 'checked';

/** What differs from one cause to the next where people are concerned in the same ways. */
type Given = {
  readonly projectId: ProjectId;
  readonly subjectId: number;
  readonly noteId: number;
  readonly sha: string;
  /** As `writeNumbers` writes them. */
  readonly named: string;
  readonly labels: string;
  readonly after: number;
};

/** What the words of the query depend on. */
interface Asked {
  readonly ways: readonly Way[];
  readonly kind: SubjectKind | undefined;
  /** Whether the cause is a comment. */
  readonly ofNote: boolean;
  readonly limit: number;
}

const GIVEN = ['projectId', 'subjectId', 'noteId', 'sha', 'named', 'labels', 'after'] as const;

const waysOf = ({ kind, subjectId, details }: Cause, also: readonly UserId[]): readonly Way[] => {
  const named: readonly Way[] = also.length === 0 ? [] : ['named'];
  const labels: readonly Way[] = (details.labels ?? []).length === 0 ? [] : ['label'];
  if (isOfAlert(kind)) return [];
  if (isOfLabelling(kind)) return labels;
  if (isOfMention(kind) || kind === 'moved_project') return named;
  if (isOfPipeline(kind)) return ['checked'];
  if (subjectId === null) return [...named, ...labels];
  const commenters: readonly Way[] = isOpening(kind) ? [] : ['commenter'];
  return [...named, ...labels, 'participant', 'subscriber', ...commenters];
};

/**
 * The comments up to the one that was just written: who comments after it had no part in that, and nobody had in what was just opened.
 */
export const commentsBefore = (
  query: Knex,
  { subjectId, noteId }: Readonly<Record<'subjectId' | 'noteId', number | null>>,
): Knex.QueryBuilder => {
  const comments = query('notes').where({ subject_id: subjectId ?? 0, system: false });
  return noteId === null ? comments : comments.where('id', '<=', noteId);
};

/** Whose open merge requests have a commit that was checked: those who opened them, and those they are assigned to. */
export const whoseIsChecked = (
  query: Knex,
  { projectId, sha }: Pick<Given, 'projectId' | 'sha'>,
): readonly Knex.QueryBuilder[] => {
  const open = () => fromOrTo(query('merge_requests').where({ source_sha: sha, state: 'opened' }), projectId);
  const assigned = query('merge_request_assignees')
    .whereIn('merge_request_id', open().select('merge_requests.id'))
    .select('user_id');
  return [open().whereNotNull('author_id').select({ user_id: 'author_id' }), assigned];
};

/** Who follows labels, as rows of projects have them, or the labels of groups that they are. @param labels as `writeNumbers` writes ids. */
export const labelSubscriptions = (query: Knex, dialect: Dialect, labels: string): readonly Knex.QueryBuilder[] => [
  query('label_subscriptions').whereRaw(dialect.among('label_id'), [labels]).select('user_id'),
  query('group_label_subscriptions')
    .join('labels', 'labels.group_label_id', 'group_label_subscriptions.group_label_id')
    .whereRaw(dialect.among('labels.id'), [labels])
    .select('group_label_subscriptions.user_id'),
];

/** People who are concerned by a cause for other reasons than what they are in its project. */
export class PeopleBeside {
  readonly #finders = new Map<string, FindAll<{ readonly id: UserId }, Given>>();

  constructor(
    private readonly session: Session,
    private readonly subjects: KnexSubjects,
  ) {}

  /** The ids of active ones, ascending. */
  async idsOf(
    cause: Cause,
    { subject }: Topic,
    also: readonly UserId[],
    { after, limit }: Slice,
  ): Promise<readonly UserId[]> {
    const ways = waysOf(cause, also);
    if (ways.length === 0) return [];
    const { dialect } = this.session;
    const find = this.#finder({ ways, kind: subject?.kind, ofNote: cause.noteId !== null, limit });
    const rows = await find({
      projectId: cause.projectId,
      subjectId: cause.subjectId ?? 0,
      noteId: cause.noteId ?? 0,
      sha: cause.details.pipeline?.sha ?? '',
      named: dialect.writeNumbers(also),
      labels: dialect.writeNumbers(cause.details.labels ?? []),
      after,
    });
    return rows.map(({ id }) => id);
  }

  /** Causes that follow each other are mostly alike, and to build such a query takes longer than to run it. */
  #finder(asked: Asked): FindAll<{ readonly id: UserId }, Given> {
    const { ways, kind, ofNote, limit } = asked;
    const key = [kind, ofNote, limit, ...ways].join();
    const find =
      this.#finders.get(key) ??
      this.session.keep(GIVEN, (query, given: Given) => {
        const concerned = ways.flatMap((way) => this.#concerned(query, way, asked, given));
        return activeAmong(query, concerned, { after: given.after, limit });
      });
    this.#finders.set(key, find);
    return find;
  }

  /** Queries of `user_id`. */
  #concerned(
    query: Knex,
    way: Way,
    { kind, ofNote }: Asked,
    { subjectId, noteId, named, labels, ...checked }: Given,
  ): readonly Knex.QueryBuilder[] {
    const { dialect } = this.session;
    switch (way) {
      case 'named':
        return [query('users').whereRaw(dialect.among('id'), [named]).select({ user_id: 'id' })];
      case 'label':
        return labelSubscriptions(query, dialect, labels);
      case 'participant':
        return kind === undefined ? [] : this.subjects.participants({ kind, id: subjectId });
      case 'subscriber':
        return [query('subscriptions').where({ subject_id: subjectId, subscribed: true }).select('user_id')];
      case 'commenter': {
        const comments = commentsBefore(query, { subjectId, noteId: ofNote ? noteId : null });
        return [comments.whereNotNull('author_id').select({ user_id: 'author_id' })];
      }
      case 'checked':
        return whoseIsChecked(query, checked);
    }
  }
}

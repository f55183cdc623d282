import type { ActivityEventWithAuthor } from '../../../../../application/activity/ports/activity-reader.js';
import {
  ACTIONS,
  TARGET_TYPES,
  type Action,
  type Comment,
  type Push,
  type TargetType,
} from '../../../../../domain/activity/activity-event.js';
import type { UserState } from '../../../../../domain/identity/user.js';
import type { ProjectId, UserId } from '../../../../../domain/shared/identifiers.js';
import type { FeatureLevel } from '../../../../../domain/workspace/project-features.js';
import type { Dialect } from '../dialect/dialect.js';
import type { RowOf } from '../tables.js';

/** As the rows have them: numbers, because many indexes hold them. Their order is for ever; 0 is no target. */
export const codeOfAction = (action: Action): number => ACTIONS.indexOf(action) + 1;
export const codeOfTargetType = (type: TargetType): number => TARGET_TYPES.indexOf(type) + 1;

export const NOTE = codeOfTargetType('note');

/** The feed of a project that everybody reads who sees it, or the one of confidential issues. */
export const feedOf = (projectId: ProjectId, confidential: boolean): number => projectId * 2 + Number(confidential);

/** What only some entries have. */
export interface Details {
  readonly push?: Push;
  readonly comment?: Omit<Comment, 'body'> & { readonly body?: string };
}

/** Of the project of an entry. */
type FeatureOfEntries =
  'repository_access_level' | 'issues_access_level' | 'merge_requests_access_level' | 'snippets_access_level';

export type ActivityRow = Omit<RowOf<'activity_events'>, 'subject_id' | 'author_id'> & {
  readonly author_id: UserId;
  readonly username: string | null;
  readonly name: string | null;
  readonly state: UserState | null;
  /** Of a comment, unless it is large. */
  readonly body: string | null;
  readonly body_bytes: number | null;
  readonly project_path: string | null;
} & { readonly [Column in FeatureOfEntries]: FeatureLevel | null };

export const toActivityEvent = (row: ActivityRow, dialect: Dialect): ActivityEventWithAuthor => {
  const { push, comment } = JSON.parse(row.details ?? '{}') as Details;
  const type = TARGET_TYPES[row.target_type - 1];
  return {
    id: row.id,
    // eslint-disable-next-line no-restricted-syntax -- the reverse of feedOf
    projectId: Math.floor(row.feed / 2) as ProjectId,
    projectPath: row.project_path ?? '',
    authorId: row.author_id,
    author: authorOf(row),
    action: ACTIONS[row.action - 1] ?? 'updated',
    target: type === undefined ? null : { type, id: row.target_id ?? 0, iid: row.target_iid, title: row.target_title },
    push: push ?? null,
    comment: comment === undefined ? null : { ...comment, body: row.body ?? comment.body ?? '' },
    createdAt: dialect.readInstant(row.created_at),
  };
};

/** Null once the account is gone. */
const authorOf = ({ author_id: id, username, name, state }: ActivityRow): ActivityEventWithAuthor['author'] =>
  username === null || state === null ? null : { id, username, name: name ?? '', state };

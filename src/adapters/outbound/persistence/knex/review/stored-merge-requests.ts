import { subjectOfMergeRequest } from '../../../../../application/review/ports/merge-request-subject.js';
import type { UserId } from '../../../../../domain/shared/identifiers.js';
import type { Visibility } from '../../../../../domain/shared/visibility.js';
import type { StoredSubjectKind } from '../collaboration/subject-kind.js';
import { MERGE_REQUEST_COLUMNS, toMergeRequest, type MergeRequestRow } from './merge-request-row.js';
import { visibleMergeRequests } from './visible-merge-requests.js';

type Row = MergeRequestRow & { readonly project_path: string; readonly visibility: Visibility };

const PEOPLE = ['merge_request_assignees', 'merge_request_reviewers'] as const;

/** Merge requests as subjects, as their tables have them. */
export const storedMergeRequests: StoredSubjectKind = {
  kind: 'merge_request',
  async find({ query, dialect }, id) {
    const columns = MERGE_REQUEST_COLUMNS.map((column) => `merge_requests.${column}`);
    const row = (await query('merge_requests')
      .join('projects', 'projects.id', 'merge_requests.project_id')
      .where('merge_requests.id', id)
      .first(...columns, { project_path: 'projects.full_path', visibility: 'projects.visibility' })) as Row | undefined;
    if (row === undefined) return undefined;
    const [assignees = [], reviewers = []] = await Promise.all(
      PEOPLE.map((table) =>
        query(table)
          .join('users', 'users.id', `${table}.user_id`)
          .where({ merge_request_id: id })
          .orderBy('users.id')
          .select<{ id: UserId; name: string }[]>('users.id', 'users.name'),
      ),
    );
    const { project_path: projectPath, visibility } = row;
    return subjectOfMergeRequest({ ...toMergeRequest(row, dialect), projectPath, visibility, assignees, reviewers });
  },
  visibleAmong: (query, viewer, ids) =>
    visibleMergeRequests(query, viewer).whereIn('merge_requests.id', ids).select('merge_requests.id'),
  participants: (query, id) => [
    query('merge_requests').where({ id }).whereNotNull('author_id').select({ user_id: 'author_id' }),
    ...PEOPLE.map((table) => query(table).where({ merge_request_id: id }).select('user_id')),
  ],
};

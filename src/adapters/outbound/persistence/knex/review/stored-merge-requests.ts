import { subjectOfMergeRequest } from '../../../../../application/review/ports/merge-request-subject.js';
import { together } from '../../../../../application/shared/together.js';
import type { Visibility } from '../../../../../domain/shared/visibility.js';
import { readPeopleOf } from '../collaboration/people-of-subjects.js';
import type { StoredSubjectKind } from '../collaboration/subject-kind.js';
import { MERGE_REQUEST_COLUMNS, toMergeRequest, type MergeRequestRow } from './merge-request-row.js';
import { visibleMergeRequests } from './visible-merge-requests.js';

type Row = MergeRequestRow & { readonly project_path: string; readonly visibility: Visibility };

const PEOPLE = ['merge_request_assignees', 'merge_request_reviewers'] as const;

/** Merge requests as subjects, as their tables have them. */
export const storedMergeRequests: StoredSubjectKind = {
  kind: 'merge_request',
  ownRows: (query, ids) =>
    query('merge_requests')
      .whereIn('id', [...ids])
      .select('id'),
  async findAll({ query, dialect }, ids) {
    const columns = MERGE_REQUEST_COLUMNS.map((column) => `merge_requests.${column}`);
    const rows = (await query('merge_requests')
      .join('projects', 'projects.id', 'merge_requests.project_id')
      .whereIn('merge_requests.id', [...ids])
      .select(...columns, { project_path: 'projects.full_path', visibility: 'projects.visibility' })) as Row[];
    const [assigneesOf, reviewersOf] = await together([
      readPeopleOf(query, 'merge_request_assignees', ids),
      readPeopleOf(query, 'merge_request_reviewers', ids),
    ]);
    return rows.map((row) => {
      const { id, project_path: projectPath, visibility } = row;
      const people = { assignees: assigneesOf(id), reviewers: reviewersOf(id) };
      return subjectOfMergeRequest({ ...toMergeRequest(row, dialect), projectPath, visibility, ...people });
    });
  },
  visibleAmong: (query, viewer, ids) =>
    visibleMergeRequests(query, viewer).whereIn('merge_requests.id', ids).select('merge_requests.id'),
  participants: (query, id) => [
    query('merge_requests').where({ id }).whereNotNull('author_id').select({ user_id: 'author_id' }),
    ...PEOPLE.map((table) => query(table).where({ merge_request_id: id }).select('user_id')),
  ],
};

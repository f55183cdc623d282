import { subjectOfCommit } from '../../../../../application/review/ports/discussed-commits.js';
import type { Visibility } from '../../../../../domain/shared/visibility.js';
import type { StoredSubjectKind } from '../collaboration/subject-kind.js';
import type { RowOf } from '../tables.js';
import { visibleProjects, wherePermitted } from '../visibility/visible.js';

type Row = RowOf<'discussed_commits'> & { readonly project_path: string; readonly visibility: Visibility };

/** Commits as subjects, as their table has them. */
export const storedCommits: StoredSubjectKind = {
  kind: 'commit',
  ownRows: (query, ids) =>
    query('discussed_commits')
      .whereIn('id', [...ids])
      .select('id'),
  async findAll({ query }, ids) {
    const rows = (await query('discussed_commits')
      .join('projects', 'projects.id', 'discussed_commits.project_id')
      .whereIn('discussed_commits.id', [...ids])
      .select('discussed_commits.*', {
        project_path: 'projects.full_path',
        visibility: 'projects.visibility',
      })) as Row[];
    return rows.map((row) => {
      const { id, project_id: projectId, commit_id: commitId, title, author_id: authorId, visibility } = row;
      return subjectOfCommit({ id, projectId, commitId, title, authorId, visibility, projectPath: row.project_path });
    });
  },
  visibleAmong: (query, viewer, ids) => {
    const commits = visibleProjects(query, viewer, (from) =>
      from.from('discussed_commits').join('projects', 'projects.id', 'discussed_commits.project_id'),
    );
    return wherePermitted(commits, viewer, 'read_code')
      .whereIn('discussed_commits.id', ids)
      .select('discussed_commits.id');
  },
  participants: (query, id) => [
    query('discussed_commits').where({ id }).whereNotNull('author_id').select({ user_id: 'author_id' }),
  ],
};

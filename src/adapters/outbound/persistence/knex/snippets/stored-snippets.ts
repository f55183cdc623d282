import type { Knex } from 'knex';
import { isDiscussed, subjectOfSnippet } from '../../../../../application/snippets/ports/snippet-subject.js';
import type { StoredSubjectKind } from '../collaboration/subject-kind.js';
import { SNIPPET_COLUMNS, toSnippet, type SnippetRow } from './snippet-row.js';
import { seenInProjects } from './visible-snippets.js';

/** Snippets of projects as subjects, as their tables have them. */
export const storedSnippets: StoredSubjectKind = {
  kind: 'snippet',
  ownRows: (query, ids) =>
    query('snippets')
      .whereIn('subject_id', [...ids])
      .select({ id: 'subject_id' }),
  async findAll({ query, dialect }, ids) {
    const rows = (await query('snippets')
      .join('projects', 'projects.id', 'snippets.project_id')
      .whereIn('snippets.subject_id', [...ids])
      .select(...SNIPPET_COLUMNS.map((column) => `snippets.${column}`), {
        project_path: 'projects.full_path',
      })) as (SnippetRow & { readonly project_path: string })[];
    return rows.flatMap((row) => {
      const snippet = toSnippet(row, dialect);
      return isDiscussed(snippet) ? [subjectOfSnippet(snippet, row.project_path)] : [];
    });
  },
  visibleAmong: (query, viewer, ids) => {
    const snippets = (query('snippets') as Knex.QueryBuilder).whereIn('snippets.subject_id', ids);
    seenInProjects(query, snippets, viewer);
    return snippets.select({ id: 'snippets.subject_id' });
  },
  participants: (query, id) => [
    query('snippets').where({ subject_id: id }).whereNotNull('author_id').select({ user_id: 'author_id' }),
  ],
};

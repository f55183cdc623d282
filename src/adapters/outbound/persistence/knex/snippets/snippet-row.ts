import type { Snippet } from '../../../../../domain/snippets/snippet.js';
import type { Dialect } from '../dialect/dialect.js';
import type { RowOf } from '../tables.js';

export const SNIPPET_COLUMNS = [
  'id',
  'project_id',
  'author_id',
  'title',
  'description',
  'visibility',
  'created_at',
  'updated_at',
  'subject_id',
] as const;

export type SnippetRow = Pick<RowOf<'snippets'>, (typeof SNIPPET_COLUMNS)[number]>;

export const toSnippet = (row: SnippetRow, dialect: Dialect): Snippet => ({
  id: row.id,
  projectId: row.project_id,
  authorId: row.author_id,
  title: row.title,
  description: row.description,
  visibility: row.visibility,
  createdAt: dialect.readInstant(row.created_at),
  updatedAt: dialect.readInstant(row.updated_at),
  subjectId: row.subject_id,
});

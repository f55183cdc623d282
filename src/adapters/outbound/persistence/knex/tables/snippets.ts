import type { Visibility } from '../../../../../domain/shared/visibility.js';
import { code, id, instant, integer, key, link, nullable, reference, table, text } from './table.js';

export const SNIPPET_TABLES = {
  snippets: table({
    key: ['id'],
    size: 'many',
    columns: {
      id,
      project_id: nullable(reference('projects')),
      owner_id: nullable(reference('users')),
      author_id: link('users'),
      title: text,
      search_key: text,
      description: nullable(text),
      visibility: code<Visibility>(),
      creator_user_agent: nullable(text),
      creator_address: nullable(text),
      created_at: instant,
      updated_at: instant,
      subject_id: link('subjects'),
    },
  }),
  snippet_files: table({
    key: ['id'],
    size: 'many',
    columns: { id, snippet_id: reference('snippets'), path: key, content: text, bytes: integer },
  }),
};

import { id, instant, integer, key, link, reference, table, text } from './table.js';

export const UPLOAD_TABLES = {
  uploads: table({
    key: ['id'],
    size: 'many',
    columns: {
      id,
      project_id: reference('projects'),
      author_id: link('users'),
      secret: key,
      file_name: text,
      size: integer,
      created_at: instant,
    },
  }),
  upload_parts: table({
    key: ['id'],
    size: 'many',
    columns: { id, upload_id: reference('uploads'), number: integer, content: text },
  }),
};

import { id, instant, nullable, reference, table, text } from './table.js';

export const BADGE_TABLES = {
  badges: table({
    key: ['id'],
    size: 'few',
    columns: {
      id,
      project_id: nullable(reference('projects')),
      namespace_id: nullable(reference('namespaces')),
      name: nullable(text),
      link_url: text,
      image_url: text,
      created_at: instant,
    },
  }),
};

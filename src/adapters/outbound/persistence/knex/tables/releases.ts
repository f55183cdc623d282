import type { LinkType } from '../../../../../domain/repositories/release.js';
import { code, id, instant, key, link, nullable, reference, table, text } from './table.js';

export const RELEASE_TABLES = {
  releases: table({
    key: ['id'],
    size: 'many',
    columns: {
      id,
      project_id: reference('projects'),
      tag: key,
      name: text,
      description: nullable(text),
      commit_id: text,
      author_id: link('users'),
      released_at: instant,
      created_at: instant,
    },
  }),
  release_links: table({
    key: ['id'],
    size: 'many',
    columns: {
      id,
      release_id: reference('releases'),
      name: text,
      url: text,
      path: nullable(text),
      link_type: code<LinkType>(),
    },
  }),
  release_milestones: table({
    key: ['release_id', 'milestone_id'],
    size: 'many',
    columns: { release_id: reference('releases'), milestone_id: reference('milestones') },
  }),
};

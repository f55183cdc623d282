import type { CodeWorkRequest } from '../../../../../application/repositories/ports/repository-repositories.js';
import {
  bigInteger,
  boolean,
  code,
  id,
  instant,
  integer,
  json,
  key,
  link,
  nullable,
  reference,
  table,
  text,
} from './table.js';

export const REPOSITORY_TABLES = {
  // One whose project is gone stays until its folder is removed.
  repositories: table({
    key: ['id'],
    size: 'few',
    columns: {
      id,
      project_id: link('projects'),
      store: text,
      refs_version: bigInteger,
      projecting_by: nullable(text),
      projecting_until: nullable(instant),
      size_bytes: bigInteger,
      pushed_at: nullable(instant),
      created_at: instant,
      pool_id: link('object_pools'),
      unpacked_pushes: bigInteger,
      unpacked_bytes: bigInteger,
      repacked_at: nullable(instant),
      repacked_version: nullable(bigInteger),
      replaced_at: nullable(instant),
      housekeeping_after: nullable(instant),
      checked_at: nullable(instant),
    },
  }),
  object_pools: table({
    key: ['id'],
    size: 'few',
    columns: {
      id,
      store: text,
      source_id: bigInteger,
      created_at: instant,
      removal_requested_at: nullable(instant),
      packed_at: nullable(instant),
      replaced_at: nullable(instant),
      housekeeping_after: nullable(instant),
    },
  }),
  // A queue: it is short.
  code_copies: table({
    key: ['project_id'],
    size: 'few',
    columns: { project_id: reference('projects'), source_id: link('projects'), attempts: integer, due_at: instant },
  }),
  refs: table({
    key: ['repository_id', 'name'],
    size: 'many',
    columns: {
      repository_id: reference('repositories'),
      name: key,
      target: text,
      peeled: nullable(text),
      committed_at: nullable(instant),
      version: bigInteger,
    },
  }),
  // A queue: it is short.
  stale_refs: table({
    key: ['repository_id', 'name'],
    size: 'few',
    columns: { repository_id: reference('repositories'), name: key, version: bigInteger },
  }),
  kept_tips: table({
    key: ['id'],
    size: 'many',
    pruned: [{ kind: 'ended', column: 'lost_at' }],
    columns: { id, repository_id: reference('repositories'), ref: text, target: text, lost_at: instant },
  }),
  protected_branches: table({
    key: ['id'],
    size: 'few',
    columns: {
      id,
      project_id: reference('projects'),
      name: key,
      push_level: integer,
      merge_level: integer,
      allow_force_push: boolean,
      created_at: instant,
    },
  }),
  protected_tags: table({
    key: ['id'],
    size: 'few',
    columns: { id, project_id: reference('projects'), name: key, create_level: integer, created_at: instant },
  }),
  // Of the release before; comments are notes.
  commit_comments: table({
    key: ['id'],
    size: 'many',
    columns: {
      id,
      project_id: reference('projects'),
      commit_id: text,
      author_id: link('users'),
      note: text,
      path: nullable(text),
      line: nullable(bigInteger),
      line_type: nullable(text),
      created_at: instant,
    },
  }),
  // A queue: it is short.
  code_works: table({
    key: ['id'],
    size: 'few',
    columns: {
      id,
      project_id: reference('projects'),
      user_id: reference('users'),
      kind: code<CodeWorkRequest['kind']>(),
      payload: json,
      attempts: integer,
      run_at: instant,
      held_by: nullable(text),
      created_at: instant,
    },
  }),
};

import type { Namespace } from '../../../../../domain/workspace/namespace.js';
import type { MergeMethod, SquashOption } from '../../../../../domain/review/merge-request.js';
import type { ImportState } from '../../../../../domain/workspace/fork.js';
import type { Visibility } from '../../../../../domain/shared/visibility.js';
import {
  bigInteger,
  boolean,
  code,
  date,
  id,
  instant,
  integer,
  key,
  link,
  nullable,
  reference,
  table,
  text,
} from './table.js';

const MEMBERSHIP = {
  id,
  user_id: reference('users'),
  access_level: integer,
  expires_at: nullable(date),
  created_at: instant,
};

const ENDED = { kind: 'ended', column: 'expires_at' } as const;

export const WORKSPACE_TABLES = {
  namespaces: table({
    key: ['id'],
    size: 'few',
    columns: {
      id,
      kind: code<Namespace['kind']>(),
      owner_id: nullable(reference('users')),
      parent_id: nullable(reference('namespaces')),
      name: text,
      name_key: key,
      path: text,
      full_path: text,
      full_path_key: key,
      full_name: text,
      description: text,
      visibility: code<Visibility>(),
      removal_requested_at: nullable(instant),
      created_at: instant,
      updated_at: instant,
    },
  }),
  projects: table({
    key: ['id'],
    size: 'few',
    columns: {
      id,
      namespace_id: reference('namespaces'),
      name: text,
      name_key: key,
      path: text,
      full_path: text,
      full_path_key: key,
      search_key: key,
      description: nullable(text),
      visibility: code<Visibility>(),
      default_branch: nullable(text),
      archived: boolean,
      merge_when_pipeline_succeeds: boolean,
      creator_id: link('users'),
      removal_requested_at: nullable(instant),
      created_at: instant,
      updated_at: instant,
      last_activity_at: instant,
      merge_method: code<MergeMethod>(),
      remove_source_branch_after_merge: boolean,
      autoclose_referenced_issues: boolean,
      approvals_before_merge: integer,
      reset_approvals_on_push: boolean,
      discussions_must_be_resolved: boolean,
      squash_option: code<SquashOption>(),
      printing_merge_request_link_enabled: boolean,
      ci_config_path: nullable(text),
    },
  }),
  group_members: table({
    key: ['id'],
    size: 'few',
    pruned: [ENDED],
    columns: { ...MEMBERSHIP, namespace_id: reference('namespaces') },
  }),
  project_members: table({
    key: ['id'],
    size: 'few',
    pruned: [ENDED],
    columns: { ...MEMBERSHIP, project_id: reference('projects') },
  }),
  project_group_links: table({
    key: ['id'],
    size: 'few',
    pruned: [ENDED],
    columns: {
      id,
      project_id: reference('projects'),
      group_id: reference('namespaces'),
      access_level: integer,
      expires_at: nullable(date),
      created_at: instant,
    },
  }),
  former_paths: table({
    key: ['id'],
    size: 'few',
    columns: {
      id,
      path_key: key,
      namespace_id: nullable(reference('namespaces')),
      project_id: nullable(reference('projects')),
    },
  }),
  project_stars: table({
    key: ['project_id', 'user_id'],
    size: 'many',
    columns: { project_id: reference('projects'), user_id: reference('users'), created_at: instant },
  }),
  project_topics: table({
    key: ['project_id', 'name_key'],
    size: 'few',
    columns: { project_id: reference('projects'), place: integer, name: text, name_key: key },
  }),
  project_forks: table({
    key: ['project_id'],
    size: 'few',
    columns: {
      project_id: reference('projects'),
      source_id: link('projects'),
      import_state: code<ImportState>(),
      import_error: nullable(text),
      created_at: instant,
    },
  }),
  project_counters: table({
    key: ['project_id', 'kind'],
    size: 'few',
    columns: { project_id: reference('projects'), kind: text, last_number: bigInteger },
  }),
};

import type { Group, Namespace, Project } from '../../../../../domain/workspace/namespace.js';
import type { Visibility } from '../../../../../domain/workspace/visibility.js';
import type { Dialect } from '../dialect/dialect.js';

export interface NamespaceRow {
  readonly id: number;
  readonly kind: string;
  readonly owner_id: number | null;
  readonly parent_id: number | null;
  readonly name: string;
  readonly path: string;
  readonly full_path: string;
  readonly full_name: string;
  readonly description: string;
  readonly visibility: string;
  readonly created_at: unknown;
}

export interface ProjectRow {
  readonly id: number;
  readonly namespace_id: number;
  readonly name: string;
  readonly path: string;
  readonly full_path: string;
  readonly description: string | null;
  readonly visibility: string;
  readonly default_branch: string | null;
  readonly archived: boolean | number;
  readonly merge_when_pipeline_succeeds: boolean | number;
  readonly creator_id: number | null;
  readonly created_at: unknown;
  readonly updated_at: unknown;
  readonly last_activity_at: unknown;
  readonly namespace_kind: string;
  readonly namespace_name: string;
  readonly namespace_path: string;
  readonly namespace_full_path: string;
  readonly namespace_parent_id: number | null;
}

/** The columns of `ProjectRow`, of `projects` joined with `namespaces`. */
export const PROJECT_COLUMNS = [
  'projects.*',
  { namespace_kind: 'namespaces.kind' },
  { namespace_name: 'namespaces.name' },
  { namespace_path: 'namespaces.path' },
  { namespace_full_path: 'namespaces.full_path' },
  { namespace_parent_id: 'namespaces.parent_id' },
];

export const toNamespace = (
  row: Pick<NamespaceRow, 'id' | 'kind' | 'name' | 'path' | 'full_path' | 'parent_id'>,
): Namespace => ({
  id: row.id,
  kind: row.kind as Namespace['kind'],
  name: row.name,
  path: row.path,
  fullPath: row.full_path,
  parentId: row.parent_id,
});

export const toGroup = (row: NamespaceRow, dialect: Dialect): Group => ({
  id: row.id,
  name: row.name,
  path: row.path,
  fullPath: row.full_path,
  fullName: row.full_name,
  description: row.description,
  visibility: row.visibility as Visibility,
  parentId: row.parent_id,
  createdAt: dialect.readInstant(row.created_at),
});

export const toProject = (row: ProjectRow, dialect: Dialect): Project => ({
  id: row.id,
  namespace: {
    id: row.namespace_id,
    kind: row.namespace_kind as Namespace['kind'],
    name: row.namespace_name,
    path: row.namespace_path,
    fullPath: row.namespace_full_path,
    parentId: row.namespace_parent_id,
  },
  name: row.name,
  path: row.path,
  fullPath: row.full_path,
  description: row.description,
  visibility: row.visibility as Visibility,
  defaultBranch: row.default_branch,
  archived: Boolean(row.archived),
  mergeWhenPipelineSucceeds: Boolean(row.merge_when_pipeline_succeeds),
  creatorId: row.creator_id,
  createdAt: dialect.readInstant(row.created_at),
  updatedAt: dialect.readInstant(row.updated_at),
  lastActivityAt: dialect.readInstant(row.last_activity_at),
});

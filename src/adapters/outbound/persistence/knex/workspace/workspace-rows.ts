import type { Group, Namespace, Project } from '../../../../../domain/workspace/namespace.js';
import {
  PROJECT_FEATURES,
  type FeatureLevels,
  type ProjectFeature,
} from '../../../../../domain/workspace/project-features.js';
import type { Dialect } from '../dialect/dialect.js';
import type { RowOf } from '../tables.js';
import { WORKSPACE_TABLES } from '../tables/workspace.js';
import type { GroupId, NamespaceId } from '../../../../../domain/shared/identifiers.js';

export type NamespaceRow = RowOf<'namespaces'>;

/** A namespace whose kind is `group`: what holds one is a group, too. */
export type GroupRow = NamespaceRow & { readonly id: GroupId; readonly parent_id: GroupId | null };

/** A project beside what it tells of its namespace. */
export type ProjectRow = RowOf<'projects'> & {
  readonly namespace_kind: NamespaceRow['kind'];
  readonly namespace_name: string;
  readonly namespace_full_name: string;
  readonly namespace_path: string;
  readonly namespace_full_path: string;
  readonly namespace_parent_id: NamespaceId | null;
};

/** The columns of `ProjectRow`, of `projects` joined with `namespaces`: by name, for statements that are kept prepared. */
export const PROJECT_COLUMNS = [
  ...Object.keys(WORKSPACE_TABLES.projects.columns).map((column) => `projects.${column}`),
  { namespace_kind: 'namespaces.kind' },
  { namespace_name: 'namespaces.name' },
  { namespace_full_name: 'namespaces.full_name' },
  { namespace_path: 'namespaces.path' },
  { namespace_full_path: 'namespaces.full_path' },
  { namespace_parent_id: 'namespaces.parent_id' },
];

export const toNamespace = (
  row: Pick<NamespaceRow, 'id' | 'kind' | 'name' | 'full_name' | 'path' | 'full_path' | 'parent_id'>,
): Namespace => ({
  id: row.id,
  kind: row.kind,
  name: row.name,
  fullName: row.full_name,
  path: row.path,
  fullPath: row.full_path,
  parentId: row.parent_id,
});

export const toGroup = (row: GroupRow, dialect: Dialect): Group => ({
  id: row.id,
  name: row.name,
  path: row.path,
  fullPath: row.full_path,
  fullName: row.full_name,
  description: row.description,
  visibility: row.visibility,
  parentId: row.parent_id,
  requestAccessEnabled: Boolean(row.request_access_enabled),
  createdAt: dialect.readInstant(row.created_at),
  updatedAt: dialect.readInstant(row.updated_at),
});

type FeatureColumn = `${ProjectFeature}_access_level`;

/** Where what was set of a feature is kept. */
export const featureColumn = <Feature extends ProjectFeature>(feature: Feature): `${Feature}_access_level` =>
  `${feature}_access_level`;

export const FEATURE_COLUMNS = PROJECT_FEATURES.map(featureColumn);

export const toFeatures = (row: Pick<RowOf<'projects'>, FeatureColumn>): FeatureLevels => ({
  repository: row.repository_access_level,
  issues: row.issues_access_level,
  merge_requests: row.merge_requests_access_level,
  builds: row.builds_access_level,
  forking: row.forking_access_level,
  snippets: row.snippets_access_level,
  releases: row.releases_access_level,
});

export const toProject = (row: ProjectRow, dialect: Dialect): Project => ({
  id: row.id,
  namespace: {
    id: row.namespace_id,
    kind: row.namespace_kind,
    name: row.namespace_name,
    fullName: row.namespace_full_name,
    path: row.namespace_path,
    fullPath: row.namespace_full_path,
    parentId: row.namespace_parent_id,
  },
  name: row.name,
  path: row.path,
  fullPath: row.full_path,
  description: row.description,
  visibility: row.visibility,
  defaultBranch: row.default_branch,
  archived: Boolean(row.archived),
  mergeWhenPipelineSucceeds: Boolean(row.merge_when_pipeline_succeeds),
  merging: {
    method: row.merge_method,
    removeSourceBranch: Boolean(row.remove_source_branch_after_merge),
    autocloseIssues: Boolean(row.autoclose_referenced_issues),
    approvalsRequired: row.approvals_before_merge,
    resetApprovalsOnPush: Boolean(row.reset_approvals_on_push),
    discussionsMustBeResolved: Boolean(row.discussions_must_be_resolved),
    squash: row.squash_option,
    tellsAfterPush: Boolean(row.printing_merge_request_link_enabled),
  },
  ciConfigPath: row.ci_config_path,
  features: toFeatures(row),
  requestAccessEnabled: Boolean(row.request_access_enabled),
  creatorId: row.creator_id,
  createdAt: dialect.readInstant(row.created_at),
  updatedAt: dialect.readInstant(row.updated_at),
  lastActivityAt: dialect.readInstant(row.last_activity_at),
});

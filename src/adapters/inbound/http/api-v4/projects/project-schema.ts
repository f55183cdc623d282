import { Type } from '@sinclair/typebox';
import { nullable } from '../../validation/parameters.js';
import { NamespaceSchema } from '../namespaces/namespace-schema.js';
import { BasicUserSchema } from '../users/user-schema.js';
import { component } from '../../openapi/component.js';
import { LICENSE_FIELDS } from './project-license.js';
import { PROJECT_IN_SHORT } from './project-in-short.js';

const instant = () => Type.String({ format: 'date-time' });
const featureLevel = () =>
  Type.String({ description: '`enabled`: as the project; `private`: as if it were private; `disabled`: for nobody' });

/** A project as lists for strangers show it. */
export const BasicProjectSchema = component(
  'schemas/BasicProject',
  Type.Object({
    ...PROJECT_IN_SHORT,
    default_branch: Type.Optional(nullable(Type.String({ description: 'Told to who may read the code' }))),
    topics: Type.Array(Type.String(), { description: 'What it is about, in words by which it is found' }),
    tag_list: Type.Array(Type.String(), { description: 'The same, by its other name' }),
    ssh_url_to_repo: Type.String(),
    http_url_to_repo: Type.String({ description: 'What `git clone` takes' }),
    web_url: Type.String(),
    readme_url: nullable(Type.String({ description: 'Of the default branch; null in lists' })),
    avatar_url: nullable(Type.String()),
    star_count: Type.Integer(),
    forks_count: Type.Integer(),
    last_activity_at: instant(),
    namespace: NamespaceSchema,
    ...LICENSE_FIELDS,
  }),
);

const AccessSchema = nullable(Type.Object({ access_level: Type.Integer(), notification_level: Type.Integer() }));

/** A project as members and other signed-in people see it. */
export const ProjectSchema = component(
  'schemas/Project',
  Type.Object({
    ...BasicProjectSchema.properties,
    _links: Type.Object({
      self: Type.String(),
      issues: Type.String(),
      merge_requests: Type.String(),
      repo_branches: Type.String(),
      labels: Type.String(),
      events: Type.String(),
      members: Type.String(),
    }),
    issues_enabled: Type.Boolean(),
    merge_requests_enabled: Type.Boolean(),
    snippets_enabled: Type.Boolean(),
    wiki_enabled: Type.Boolean(),
    jobs_enabled: Type.Boolean(),
    packages_enabled: Type.Boolean(),
    container_registry_enabled: Type.Boolean(),
    lfs_enabled: Type.Boolean(),
    repository_access_level: featureLevel(),
    issues_access_level: featureLevel(),
    merge_requests_access_level: featureLevel(),
    forking_access_level: featureLevel(),
    snippets_access_level: featureLevel(),
    releases_access_level: featureLevel(),
    wiki_access_level: featureLevel(),
    builds_access_level: featureLevel(),
    pages_access_level: featureLevel(),
    container_registry_access_level: featureLevel(),
    mirror: Type.Boolean(),
    request_access_enabled: Type.Boolean(),
    shared_runners_enabled: Type.Boolean(),
    public_jobs: Type.Boolean(),
    build_git_strategy: Type.Literal('fetch'),
    build_timeout: Type.Integer({ description: 'Seconds that a job has unless its file or its runner says otherwise' }),
    ci_default_git_depth: Type.Integer({
      description: 'Commits that a job is given unless `GIT_DEPTH` says otherwise',
    }),
    emails_disabled: Type.Boolean(),
    resolve_outdated_diff_discussions: Type.Boolean(),
    allow_merge_on_skipped_pipeline: Type.Boolean(),
    ci_config_path: nullable(
      Type.String({ description: 'Where its CI file is, for who may push; null for one of the usual names' }),
    ),
    suggestion_commit_message: Type.Null(),
    merge_commit_template: Type.Null(),
    squash_commit_template: Type.Null(),
    open_issues_count: Type.Integer({ description: 'Counted up to 10,000; confidential ones for Reporters and above' }),
    visibility: Type.String(),
    archived: Type.Boolean(),
    empty_repo: Type.Boolean(),
    import_status: Type.String({ description: '`none`, `scheduled`, `started`, `finished` or `failed`' }),
    import_error: nullable(Type.String()),
    forked_from_project: Type.Optional(BasicProjectSchema),
    creator_id: nullable(Type.Integer()),
    owner: Type.Optional(BasicUserSchema),
    merge_when_pipeline_succeeds: Type.Boolean(),
    only_allow_merge_if_pipeline_succeeds: Type.Boolean({ description: 'The same, by its other name' }),
    merge_method: Type.String({ description: '`merge`, `rebase_merge` or `ff`' }),
    auto_cancel_pending_pipelines: Type.String({ description: '`enabled` or `disabled`' }),
    remove_source_branch_after_merge: Type.Boolean(),
    autoclose_referenced_issues: Type.Boolean(),
    approvals_before_merge: Type.Integer(),
    squash_option: Type.String({ description: '`never`, `always`, `default_on` or `default_off`' }),
    printing_merge_request_link_enabled: Type.Boolean(),
    only_allow_merge_if_all_discussions_are_resolved: Type.Boolean(),
    reset_approvals_on_push: Type.Boolean(),
    updated_at: instant(),
    statistics: Type.Optional(
      Type.Object({
        commit_count: Type.Integer({ description: 'On the default branch' }),
        storage_size: Type.Integer(),
        repository_size: Type.Integer({ description: 'Bytes that pushes brought' }),
        wiki_size: Type.Integer(),
        lfs_objects_size: Type.Integer(),
        job_artifacts_size: Type.Integer({ description: 'Bytes of files that jobs left' }),
        packages_size: Type.Integer({ description: 'Bytes of files of packages' }),
        snippets_size: Type.Integer(),
        uploads_size: Type.Integer({ description: 'Bytes of attached files' }),
      }),
    ),
    shared_with_groups: Type.Optional(
      Type.Array(
        Type.Object({
          group_id: Type.Integer(),
          group_name: Type.String(),
          group_full_path: Type.String(),
          group_access_level: Type.Integer(),
          expires_at: nullable(Type.String({ format: 'date' })),
        }),
        { description: 'The groups that you may see; absent in lists' },
      ),
    ),
    permissions: Type.Optional(Type.Object({ project_access: AccessSchema, group_access: AccessSchema })),
  }),
);

/** A project as strangers or as others see it. */
export const AnyProjectSchema = Type.Union([ProjectSchema, BasicProjectSchema]);

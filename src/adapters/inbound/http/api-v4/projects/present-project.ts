import type { CodeSize } from '../../../../../application/repositories/browse/code-statistics.js';
import type { SharedGroup } from '../../../../../application/workspace/ports/group-links.js';
import type { ProjectFacts, ProjectRelations } from '../../../../../application/workspace/ports/project-relations.js';
import type { ProjectLevels } from '../../../../../application/workspace/ports/workspace-readers.js';
import type { UserProfile } from '../../../../../application/identity/ports/identity-readers.js';
import { ORDINARY_DEPTH, ORDINARY_TIMEOUT_SECONDS } from '../../../../../domain/pipelines/ci-job.js';
import type { Project } from '../../../../../domain/workspace/namespace.js';
import { PROJECT_PERMISSIONS } from '../../../../../domain/workspace/workspace-policy.js';
import { given } from '../../kit/given.js';
import type { WebUrls } from '../../web-urls.js';
import { presentNamespace } from '../namespaces/namespace-schema.js';
import { presentBasicUser } from '../users/present-user.js';
import { presentInShort } from './project-in-short.js';

/** Wire number of the level "global", the only one before notifications are set otherwise. */
const NOTIFICATION_LEVEL = 3;

export const presentBasicProject = (project: Project, urls: WebUrls, { stars, forks, topics }: ProjectFacts) => ({
  ...presentInShort(project),
  default_branch: project.defaultBranch,
  topics,
  tag_list: topics,
  ssh_url_to_repo: urls.cloneBySsh(project.fullPath),
  http_url_to_repo: urls.cloneByHttp(project.fullPath),
  web_url: urls.project(project.fullPath),
  // Looked for where one project is shown.
  readme_url: null,
  avatar_url: null,
  star_count: stars,
  forks_count: forks,
  last_activity_at: project.lastActivityAt.toISOString(),
  namespace: presentNamespace(project.namespace, urls),
});

/** What isn't in the row of the project. */
export interface ProjectExtras {
  readonly owner?: UserProfile | undefined;
  readonly openIssues: number;
  /** Nothing was pushed to it yet. */
  readonly empty: boolean;
  readonly relations: ProjectRelations;
}

const presentCopy = ({ forkedFrom, copied }: ProjectRelations, urls: WebUrls) => ({
  import_status: copied?.state ?? 'none',
  import_error: copied?.error ?? null,
  ...given({ forked_from_project: forkedFrom && presentBasicProject(forkedFrom.project, urls, forkedFrom) }),
});

const presentLinks = ({ id }: Project, urls: WebUrls) => {
  const at = (path: string) => urls.api(`/projects/${id}${path}`);
  return {
    self: at(''),
    issues: at('/issues'),
    merge_requests: at('/merge_requests'),
    repo_branches: at('/repository/branches'),
    labels: at('/labels'),
    events: at('/events'),
    members: at('/members'),
  };
};

/** What was set of the features of a project. */
const presentFeatures = ({ features }: Project) => ({
  issues_enabled: features.issues !== 'disabled',
  merge_requests_enabled: features.merge_requests !== 'disabled',
  snippets_enabled: features.snippets !== 'disabled',
  jobs_enabled: features.builds !== 'disabled',
  packages_enabled: features.repository !== 'disabled',
  repository_access_level: features.repository,
  issues_access_level: features.issues,
  merge_requests_access_level: features.merge_requests,
  builds_access_level: features.builds,
  forking_access_level: features.forking,
  snippets_access_level: features.snippets,
  releases_access_level: features.releases,
});

/** What every project has here, and what none has: clients ask before they offer it. */
const FEATURES = {
  wiki_enabled: false,
  container_registry_enabled: false,
  lfs_enabled: false,
  wiki_access_level: 'disabled',
  pages_access_level: 'disabled',
  container_registry_access_level: 'disabled',
  shared_runners_enabled: true,
  public_jobs: true,
  build_git_strategy: 'fetch',
  build_timeout: ORDINARY_TIMEOUT_SECONDS,
  ci_default_git_depth: ORDINARY_DEPTH,
  emails_disabled: false,
  resolve_outdated_diff_discussions: false,
  allow_merge_on_skipped_pipeline: false,
  suggestion_commit_message: null,
  merge_commit_template: null,
  squash_commit_template: null,
} as const;

export const presentProject = (
  project: Project,
  urls: WebUrls,
  { owner, openIssues, empty, relations }: ProjectExtras,
) => ({
  ...presentBasicProject(project, urls, relations),
  _links: presentLinks(project, urls),
  ...presentFeatures(project),
  ...FEATURES,
  open_issues_count: openIssues,
  visibility: project.visibility,
  archived: project.archived,
  request_access_enabled: project.requestAccessEnabled,
  empty_repo: empty,
  mirror: relations.isMirror,
  ...presentCopy(relations, urls),
  creator_id: project.creatorId,
  ...given({ owner: owner && presentBasicUser(owner, urls) }),
  merge_when_pipeline_succeeds: project.mergeWhenPipelineSucceeds,
  only_allow_merge_if_pipeline_succeeds: project.mergeWhenPipelineSucceeds,
  ci_config_path: null as string | null,
  auto_cancel_pending_pipelines: 'enabled',
  merge_method: project.merging.method,
  remove_source_branch_after_merge: project.merging.removeSourceBranch,
  autoclose_referenced_issues: project.merging.autocloseIssues,
  approvals_before_merge: project.merging.approvalsRequired,
  only_allow_merge_if_all_discussions_are_resolved: project.merging.discussionsMustBeResolved,
  squash_option: project.merging.squash,
  printing_merge_request_link_enabled: project.merging.tellsAfterPush,
  reset_approvals_on_push: project.merging.resetApprovalsOnPush,
  updated_at: project.updatedAt.toISOString(),
});

const presentAccess = (level: number) =>
  level === 0 ? null : { access_level: level, notification_level: NOTIFICATION_LEVEL };

/** Those that the viewer may see. */
export const presentSharedGroups = (shared: readonly SharedGroup[]) => ({
  shared_with_groups: shared.flatMap(({ groupId, group, accessLevel, expiresAt }) =>
    group === undefined
      ? []
      : [
          {
            group_id: groupId,
            group_name: group.name,
            group_full_path: group.fullPath,
            group_access_level: accessLevel,
            expires_at: expiresAt,
          },
        ],
  ),
});

/** Whoever has a project in their own namespace owns the project itself: there is no group. */
export const presentPermissions = (project: Project, { directLevel, groupLevel }: ProjectLevels) => {
  const [own, fromGroup] =
    project.namespace.kind === 'user' ? [Math.max(directLevel, groupLevel), 0] : [directLevel, groupLevel];
  return { permissions: { project_access: presentAccess(own), group_access: presentAccess(fromGroup) } };
};

/** Where its CI file is, for whoever may push: it may lie in a project that others don't see. */
export const presentCiFile = (project: Project, { directLevel, groupLevel }: ProjectLevels, admin: boolean) =>
  admin || Math.max(directLevel, groupLevel) >= PROJECT_PERMISSIONS.push_code
    ? { ci_config_path: project.ciConfigPath }
    : {};

/** Of files beside the code, in bytes. */
interface FileSizes {
  readonly uploads: number;
  /** That jobs left. */
  readonly artifacts: number;
  readonly packages: number;
}

/** What isn't kept has no size. */
export const presentStatistics = ({ commits, bytes }: CodeSize, { uploads, artifacts, packages }: FileSizes) => ({
  commit_count: commits,
  storage_size: bytes + uploads + artifacts + packages,
  repository_size: bytes,
  wiki_size: 0,
  lfs_objects_size: 0,
  job_artifacts_size: artifacts,
  packages_size: packages,
  snippets_size: 0,
  uploads_size: uploads,
});

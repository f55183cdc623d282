import { ACCESS_LEVEL } from '../shared/access-level.js';
import { isVisibleWithoutMembership, type Visibility } from '../shared/visibility.js';

/** What somebody may do to a group or project, each with the least level that may. */
export const PROJECT_PERMISSIONS = {
  read_project: ACCESS_LEVEL.guest,
  read_code: ACCESS_LEVEL.reporter,
  take_part: ACCESS_LEVEL.guest,
  push_code: ACCESS_LEVEL.developer,
  read_merge_requests: ACCESS_LEVEL.reporter,
  open_merge_requests: ACCESS_LEVEL.reporter,
  read_protected_refs: ACCESS_LEVEL.developer,
  read_statistics: ACCESS_LEVEL.developer,
  manage_protected_refs: ACCESS_LEVEL.maintainer,
  manage_deploy_keys: ACCESS_LEVEL.maintainer,
  manage_deploy_tokens: ACCESS_LEVEL.maintainer,
  set_commit_statuses: ACCESS_LEVEL.developer,
  run_pipelines: ACCESS_LEVEL.developer,
  erase_jobs: ACCESS_LEVEL.maintainer,
  manage_runners: ACCESS_LEVEL.maintainer,
  manage_triggers: ACCESS_LEVEL.maintainer,
  manage_schedules: ACCESS_LEVEL.maintainer,
  remove_pipelines: ACCESS_LEVEL.owner,
  manage_ci_variables: ACCESS_LEVEL.maintainer,
  manage_environments: ACCESS_LEVEL.developer,
  manage_labels: ACCESS_LEVEL.reporter,
  manage_milestones: ACCESS_LEVEL.developer,
  create_snippets: ACCESS_LEVEL.reporter,
  manage_snippets: ACCESS_LEVEL.maintainer,
  manage_uploads: ACCESS_LEVEL.maintainer,
  link_issues: ACCESS_LEVEL.reporter,
  move_issues: ACCESS_LEVEL.reporter,
  remove_issues: ACCESS_LEVEL.owner,
  remove_merge_requests: ACCESS_LEVEL.owner,
  manage_alerts: ACCESS_LEVEL.developer,
  send_test_alerts: ACCESS_LEVEL.developer,
  manage_alert_integrations: ACCESS_LEVEL.maintainer,
  manage_error_tracking: ACCESS_LEVEL.maintainer,
  manage_webhooks: ACCESS_LEVEL.maintainer,
  manage_project: ACCESS_LEVEL.maintainer,
  manage_project_members: ACCESS_LEVEL.maintainer,
  archive_project: ACCESS_LEVEL.owner,
  manage_fork_relation: ACCESS_LEVEL.owner,
  transfer_project: ACCESS_LEVEL.owner,
  remove_project: ACCESS_LEVEL.owner,
} as const;
export type ProjectPermission = keyof typeof PROJECT_PERMISSIONS;

/** What everybody may do who sees the project without being a member. */
const OPEN_WHERE_VISIBLE: ReadonlySet<ProjectPermission> = new Set<ProjectPermission>([
  'read_code',
  'read_merge_requests',
  'open_merge_requests',
]);

/**
 * What goes on in an archived project: reading it, and what concerns it as a whole. Everything else is refused to everybody, so a
 * permission that is added later is refused, too.
 */
const POSSIBLE_WHEN_ARCHIVED: ReadonlySet<ProjectPermission> = new Set<ProjectPermission>([
  'read_project',
  'read_code',
  'read_merge_requests',
  'read_protected_refs',
  'read_statistics',
  'manage_project',
  'manage_project_members',
  'manage_deploy_keys',
  'manage_deploy_tokens',
  // What should never have been attached can always be taken away.
  'manage_uploads',
  'archive_project',
  'manage_fork_relation',
  'transfer_project',
  'remove_project',
]);

/** Whether a project as it is lets anybody do this to it. */
export const isPossibleIn = ({ archived }: { readonly archived: boolean }, permission: ProjectPermission): boolean =>
  !archived || POSSIBLE_WHEN_ARCHIVED.has(permission);

/** The least level that may do this to a project. */
export const levelNeeded = (permission: ProjectPermission, visibility: Visibility, signedIn: boolean): number =>
  OPEN_WHERE_VISIBLE.has(permission) && isVisibleWithoutMembership(visibility, signedIn)
    ? ACCESS_LEVEL.none
    : PROJECT_PERMISSIONS[permission];

export const GROUP_PERMISSIONS = {
  read_group: ACCESS_LEVEL.guest,
  create_projects: ACCESS_LEVEL.developer,
  create_subgroups: ACCESS_LEVEL.maintainer,
  manage_group: ACCESS_LEVEL.owner,
  manage_group_members: ACCESS_LEVEL.owner,
  manage_group_deploy_tokens: ACCESS_LEVEL.owner,
  manage_group_ci_variables: ACCESS_LEVEL.owner,
  manage_group_runners: ACCESS_LEVEL.owner,
  transfer_group: ACCESS_LEVEL.owner,
  remove_group: ACCESS_LEVEL.owner,
} as const;
export type GroupPermission = keyof typeof GROUP_PERMISSIONS;

/** Who asks, as far as permissions care. */
export interface Asker {
  readonly signedIn: boolean;
  readonly admin: boolean;
}

export type AccessDecision = 'granted' | 'invisible' | 'insufficient_access_level';

/**
 * What a caller may not see is invisible, what he may see but not do is a matter of his level.
 * `level` is his effective one: the highest of the direct membership, those in all ancestor groups, and those by groups that it is
 * shared with.
 */
export const decideAccess = (asker: Asker, visibility: Visibility, level: number, needed: number): AccessDecision => {
  if (asker.admin) return 'granted';
  const visible = level >= ACCESS_LEVEL.guest || isVisibleWithoutMembership(visibility, asker.signedIn);
  if (!visible) return 'invisible';
  return needed <= ACCESS_LEVEL.guest || level >= needed ? 'granted' : 'insufficient_access_level';
};

/** Whether somebody of this level who sees a project may do this there: for what pages offer. It permits nothing. */
export const isOffered = (
  project: { readonly archived: boolean; readonly visibility: Visibility },
  level: number,
  permission: ProjectPermission,
): boolean => {
  const needed = levelNeeded(permission, project.visibility, true);
  const decision = decideAccess({ signedIn: true, admin: false }, project.visibility, level, needed);
  return isPossibleIn(project, permission) && decision === 'granted';
};

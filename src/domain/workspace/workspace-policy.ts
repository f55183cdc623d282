import type { SeenProject } from '../shared/known-in.js';
import { ACCESS_LEVEL } from '../shared/access-level.js';
import type { SubjectKind } from '../shared/subject.js';
import { isVisibleWithoutMembership, type Visibility } from '../shared/visibility.js';
import { levelOfFeature, type FeatureLevel, type FeatureLevels, type ProjectFeature } from './project-features.js';

/** What somebody may do to a group or project, each with the least level that may. */
export const PROJECT_PERMISSIONS = {
  read_project: ACCESS_LEVEL.guest,
  request_access: ACCESS_LEVEL.guest,
  read_code: ACCESS_LEVEL.reporter,
  fork_project: ACCESS_LEVEL.reporter,
  discuss_code: ACCESS_LEVEL.reporter,
  take_part: ACCESS_LEVEL.guest,
  read_issues: ACCESS_LEVEL.guest,
  write_issues: ACCESS_LEVEL.guest,
  push_code: ACCESS_LEVEL.developer,
  read_merge_requests: ACCESS_LEVEL.reporter,
  open_merge_requests: ACCESS_LEVEL.reporter,
  read_pipelines: ACCESS_LEVEL.reporter,
  read_releases: ACCESS_LEVEL.reporter,
  write_releases: ACCESS_LEVEL.developer,
  read_packages: ACCESS_LEVEL.reporter,
  write_packages: ACCESS_LEVEL.developer,
  remove_packages: ACCESS_LEVEL.maintainer,
  read_protected_refs: ACCESS_LEVEL.developer,
  read_statistics: ACCESS_LEVEL.developer,
  manage_protected_refs: ACCESS_LEVEL.maintainer,
  manage_deploy_keys: ACCESS_LEVEL.maintainer,
  manage_deploy_tokens: ACCESS_LEVEL.maintainer,
  manage_access_tokens: ACCESS_LEVEL.maintainer,
  set_commit_statuses: ACCESS_LEVEL.developer,
  run_pipelines: ACCESS_LEVEL.developer,
  erase_jobs: ACCESS_LEVEL.maintainer,
  manage_runners: ACCESS_LEVEL.maintainer,
  manage_triggers: ACCESS_LEVEL.maintainer,
  manage_schedules: ACCESS_LEVEL.maintainer,
  remove_pipelines: ACCESS_LEVEL.owner,
  manage_ci_variables: ACCESS_LEVEL.maintainer,
  manage_environments: ACCESS_LEVEL.developer,
  read_labels: ACCESS_LEVEL.guest,
  manage_labels: ACCESS_LEVEL.reporter,
  manage_boards: ACCESS_LEVEL.reporter,
  read_milestones: ACCESS_LEVEL.guest,
  manage_milestones: ACCESS_LEVEL.developer,
  read_snippets: ACCESS_LEVEL.guest,
  discuss_snippets: ACCESS_LEVEL.guest,
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
  manage_mirrors: ACCESS_LEVEL.maintainer,
  manage_badges: ACCESS_LEVEL.maintainer,
  manage_project: ACCESS_LEVEL.maintainer,
  manage_project_members: ACCESS_LEVEL.maintainer,
  archive_project: ACCESS_LEVEL.owner,
  manage_fork_relation: ACCESS_LEVEL.owner,
  transfer_project: ACCESS_LEVEL.owner,
  remove_project: ACCESS_LEVEL.owner,
} as const;
export type ProjectPermission = keyof typeof PROJECT_PERMISSIONS;

/** What everybody may do who sees the project without being a member, beside what Guests may. */
const OPEN_WHERE_VISIBLE: ReadonlySet<ProjectPermission> = new Set<ProjectPermission>([
  'read_code',
  'discuss_code',
  'fork_project',
  'read_merge_requests',
  'open_merge_requests',
  'read_pipelines',
  'read_releases',
  'read_packages',
]);

/** The feature that each of these is a use of: the others are of the project itself, whatever is switched off. */
const FEATURE_OF: Partial<Readonly<Record<ProjectPermission, ProjectFeature>>> = {
  read_code: 'repository',
  discuss_code: 'repository',
  push_code: 'repository',
  read_protected_refs: 'repository',
  manage_protected_refs: 'repository',
  manage_mirrors: 'repository',
  set_commit_statuses: 'repository',
  fork_project: 'forking',
  read_issues: 'issues',
  write_issues: 'issues',
  link_issues: 'issues',
  move_issues: 'issues',
  remove_issues: 'issues',
  manage_boards: 'issues',
  read_merge_requests: 'merge_requests',
  open_merge_requests: 'merge_requests',
  remove_merge_requests: 'merge_requests',
  read_pipelines: 'builds',
  run_pipelines: 'builds',
  erase_jobs: 'builds',
  manage_runners: 'builds',
  manage_triggers: 'builds',
  manage_schedules: 'builds',
  remove_pipelines: 'builds',
  manage_ci_variables: 'builds',
  manage_environments: 'builds',
  read_snippets: 'snippets',
  discuss_snippets: 'snippets',
  create_snippets: 'snippets',
  manage_snippets: 'snippets',
  read_releases: 'releases',
  write_releases: 'releases',
  // They are kept to whoever may read the code.
  read_packages: 'repository',
  write_packages: 'repository',
  remove_packages: 'repository',
};

/** Labels and milestones are of issues and of merge requests alike. */
const OF_EITHER: ReadonlySet<ProjectPermission> = new Set<ProjectPermission>([
  'read_labels',
  'manage_labels',
  'read_milestones',
  'manage_milestones',
]);
const READ_EITHER = ['read_issues', 'read_merge_requests'] as const;

/** Whoever has none of these in a project doesn't have this one there either. There are none where it hangs on no others. */
export const permissionsBehind = (permission: ProjectPermission): readonly ProjectPermission[] =>
  OF_EITHER.has(permission) ? READ_EITHER : [];

/** What each kind of subject asks of whoever reads one, and of whoever comments on it or does something else to it. */
export const SUBJECT_PERMISSIONS = {
  issue: { read: 'read_issues', discuss: 'write_issues' },
  merge_request: { read: 'read_merge_requests', discuss: 'open_merge_requests' },
  commit: { read: 'read_code', discuss: 'discuss_code' },
  snippet: { read: 'read_snippets', discuss: 'discuss_snippets' },
} as const satisfies Readonly<Record<SubjectKind, Readonly<Record<'read' | 'discuss', ProjectPermission>>>>;

/** The feature that somebody uses by this, if it is one. */
export const featureOf = (permission: ProjectPermission): ProjectFeature | undefined => FEATURE_OF[permission];

/**
 * What goes on in an archived project: reading it, and what concerns it as a whole. Everything else is refused to everybody, so a
 * permission that is added later is refused, too.
 */
const POSSIBLE_WHEN_ARCHIVED: ReadonlySet<ProjectPermission> = new Set<ProjectPermission>([
  'read_project',
  'read_code',
  'fork_project',
  'read_issues',
  'read_merge_requests',
  'read_labels',
  'read_milestones',
  'read_pipelines',
  'read_snippets',
  'read_releases',
  'read_packages',
  'read_protected_refs',
  'read_statistics',
  'manage_project',
  'manage_project_members',
  'manage_deploy_keys',
  'manage_deploy_tokens',
  'manage_access_tokens',
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

export const GROUP_PERMISSIONS = {
  read_group: ACCESS_LEVEL.guest,
  manage_group_labels: ACCESS_LEVEL.reporter,
  manage_group_milestones: ACCESS_LEVEL.developer,
  create_projects: ACCESS_LEVEL.developer,
  create_subgroups: ACCESS_LEVEL.maintainer,
  manage_group: ACCESS_LEVEL.owner,
  manage_group_members: ACCESS_LEVEL.owner,
  manage_group_deploy_tokens: ACCESS_LEVEL.owner,
  manage_group_access_tokens: ACCESS_LEVEL.owner,
  manage_group_ci_variables: ACCESS_LEVEL.owner,
  manage_group_runners: ACCESS_LEVEL.owner,
  manage_group_badges: ACCESS_LEVEL.owner,
  transfer_group: ACCESS_LEVEL.owner,
  remove_group: ACCESS_LEVEL.owner,
} as const;
export type GroupPermission = keyof typeof GROUP_PERMISSIONS;

/** Who asks, as far as permissions care. */
export interface Asker {
  readonly signedIn: boolean;
  readonly admin: boolean;
}

export type AccessDecision = 'granted' | 'invisible' | 'switched_off' | 'insufficient_access_level';

/**
 * What a caller may not see is invisible, what they may see but not do is a matter of their level.
 * `level` is their effective one: the highest of the direct membership, those in all ancestor groups, and those by groups that it is
 * shared with.
 */
export const decideAccess = (asker: Asker, visibility: Visibility, level: number, needed: number): AccessDecision => {
  if (asker.admin) return 'granted';
  const visible = level >= ACCESS_LEVEL.guest || isVisibleWithoutMembership(visibility, asker.signedIn);
  if (!visible) return 'invisible';
  return needed <= ACCESS_LEVEL.guest || level >= needed ? 'granted' : 'insufficient_access_level';
};

/** What is asked of a project before anything is permitted there. */
export interface JudgedProject {
  readonly visibility: Visibility;
  readonly features: FeatureLevels;
}

const setFor = ({ features }: Pick<JudgedProject, 'features'>, permission: ProjectPermission): FeatureLevel => {
  const feature = featureOf(permission);
  return feature === undefined ? 'enabled' : levelOfFeature(features, feature);
};

/** A project as this permission sees it: what is kept to its members is theirs as in a private one. */
export const seenFor = (
  project: JudgedProject & Pick<SeenProject, 'id'>,
  permission: ProjectPermission,
): SeenProject => ({
  id: project.id,
  visibility: setFor(project, permission) === 'enabled' ? project.visibility : 'private',
});

/** Whether this needs no membership where the project is visible, and its feature is as open as the project. */
export const isOpenWhereVisible = (permission: ProjectPermission): boolean =>
  PROJECT_PERMISSIONS[permission] <= ACCESS_LEVEL.guest || OPEN_WHERE_VISIBLE.has(permission);

/**
 * What somebody of this level may do to a project. What is switched off is for nobody, and what is kept to members is asked of everybody
 * else as though the project were private: an administrator is none of those.
 */
export const decideInProject = (
  asker: Asker,
  project: JudgedProject,
  level: number,
  permission: ProjectPermission,
): AccessDecision => {
  const seen = decideAccess(asker, project.visibility, level, ACCESS_LEVEL.guest);
  if (seen !== 'granted') return seen;
  const set = setFor(project, permission);
  if (set === 'disabled') return 'switched_off';
  const behind = permissionsBehind(permission).map((each) => decideInProject(asker, project, level, each));
  if (behind.length > 0 && !behind.includes('granted'))
    return behind.find((decision) => decision !== 'switched_off') ?? 'switched_off';
  if (asker.admin) return 'granted';
  const open =
    set === 'enabled' &&
    isOpenWhereVisible(permission) &&
    isVisibleWithoutMembership(project.visibility, asker.signedIn);
  return open || level >= PROJECT_PERMISSIONS[permission] ? 'granted' : 'insufficient_access_level';
};

/** Whether somebody of this level who sees a project may do this there: for what pages offer. It permits nothing. */
export const isOffered = (
  project: JudgedProject & { readonly archived: boolean },
  level: number,
  permission: ProjectPermission,
): boolean =>
  isPossibleIn(project, permission) &&
  decideInProject({ signedIn: true, admin: false }, project, level, permission) === 'granted';

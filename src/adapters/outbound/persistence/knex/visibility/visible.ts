import type { Knex } from 'knex';
import type { Viewer } from '../../../../../application/workspace/ports/workspace-readers.js';
import { VISIBILITIES, isVisibleWithoutMembership } from '../../../../../domain/shared/visibility.js';
import { featuresBehind, type ProjectFeature } from '../../../../../domain/workspace/project-features.js';
import {
  featureOf,
  isOpenWhereVisible,
  permissionsBehind,
  PROJECT_PERMISSIONS,
  type ProjectPermission,
} from '../../../../../domain/workspace/workspace-policy.js';
import { featureColumn } from '../workspace/workspace-rows.js';
import { joinOwnMembership, withReach } from './memberships.js';
import { withShared } from './shared-projects.js';

/** The visibilities that the viewer sees without being a member. */
export const openTo = ({ userId }: Viewer): string[] =>
  VISIBILITIES.filter((visibility) => isVisibleWithoutMembership(visibility, userId !== null));

/**
 * The projects that the viewer sees. Beside each stand the levels they have there: `reach.level` through namespaces,
 * `project_members.access_level` by a membership of the project, `shared.level` through groups that it is shared with.
 * @param from puts into the query what is read, with `projects` joined.
 */
export const visibleProjects = (
  query: Knex,
  viewer: Viewer,
  from: (list: Knex.QueryBuilder) => Knex.QueryBuilder = (list) => list.from('projects'),
): Knex.QueryBuilder => {
  const list = from(withShared(withReach(query, viewer), query, viewer))
    .leftJoin('reach', 'reach.namespace_id', 'projects.namespace_id')
    .leftJoin('shared', 'shared.project_id', 'projects.id');
  joinOwnMembership(list, 'project_members', 'projects.id', viewer);
  void list.whereNull('projects.removal_requested_at');
  if (viewer.admin) return list;
  return list.where((visible) => {
    void visible
      .whereIn('projects.visibility', openTo(viewer))
      .orWhereNotNull('reach.level')
      .orWhereNotNull('project_members.id')
      .orWhereNotNull('shared.level');
  });
};

/** Where the levels of the viewer stand in a query of `visibleProjects`. */
export const LEVEL_COLUMNS = {
  reach_level: 'reach.level',
  direct_level: 'project_members.access_level',
  shared_level: 'shared.level',
} as const;

/** Those columns in a row: null where the viewer has no such level. */
export type LevelColumns = { readonly [Column in keyof typeof LEVEL_COLUMNS]: number | null };

const LEVELS = Object.values(LEVEL_COLUMNS);

/** Whether the viewer has a level in a project of `visibleProjects`. */
export const hasLevel =
  (level: number) =>
  (enough: Knex.QueryBuilder): void => {
    for (const own of LEVELS) void enough.orWhere(own, '>=', level);
  };

/** The same as a column: 1 or 0. */
export const whetherLevel = (query: Knex, level: number): Knex.Raw => {
  const enough = LEVELS.map((own) => `${own} >= ?`).join(' or ');
  return query.raw(
    `case when ${enough} then 1 else 0 end`,
    LEVELS.map(() => level),
  );
};

/** Whether anybody may use a feature of `projects`, whoever asks. */
export const switchedOn =
  (feature: ProjectFeature) =>
  (on: Knex.QueryBuilder): void => {
    for (const behind of featuresBehind(feature)) void on.whereNot(`projects.${featureColumn(behind)}`, 'disabled');
  };

/**
 * Whether the viewer may do this in a project of `visibleProjects`, as `decideInProject` has it: its feature is not switched off, they
 * are no strangers where it is kept to members, and they have any of the permissions behind it.
 */
const permitting = (
  viewer: Viewer,
  permission: ProjectPermission,
): { readonly text: string; readonly bindings: string[] } => {
  const own = permittingByItself(viewer, permission);
  const behind = permissionsBehind(permission).map((each) => permitting(viewer, each));
  if (behind.length === 0) return own;
  const either = behind.map(({ text }) => `(${text})`).join(' or ');
  return {
    text: `${own.text} and (${either})`,
    bindings: [...own.bindings, ...behind.flatMap(({ bindings }) => bindings)],
  };
};

const permittingByItself = (
  viewer: Viewer,
  permission: ProjectPermission,
): { readonly text: string; readonly bindings: string[] } => {
  const feature = featureOf(permission);
  const columns = feature === undefined ? [] : featuresBehind(feature).map((each) => `projects.${featureColumn(each)}`);
  const on = columns.map((column) => `${column} <> 'disabled'`);
  if (viewer.admin) return { text: ['1 = 1', ...on].join(' and '), bindings: [] };
  const visibilities = openTo(viewer);
  const member = LEVELS.map((own) => `${own} >= ${PROJECT_PERMISSIONS[permission]}`);
  const stranger = [
    `projects.visibility in (${visibilities.map(() => '?').join(', ')})`,
    ...columns.map((column) => `${column} = 'enabled'`),
  ].join(' and ');
  const open = isOpenWhereVisible(permission);
  const somebody = `(${[...(open ? [`(${stranger})`] : []), ...member].join(' or ')})`;
  return { text: [...on, somebody].join(' and '), bindings: open ? visibilities : [] };
};

/** Narrows what is in visible projects to those where the viewer may do this. */
export const wherePermitted = (
  list: Knex.QueryBuilder,
  viewer: Viewer,
  permission: ProjectPermission,
): Knex.QueryBuilder => {
  const { text, bindings } = permitting(viewer, permission);
  return list.whereRaw(`(${text})`, bindings);
};

/** The same as a column: 1 or 0. */
export const whetherPermitted = (query: Knex, viewer: Viewer, permission: ProjectPermission): Knex.Raw => {
  const { text, bindings } = permitting(viewer, permission);
  return query.raw(`case when ${text} then 1 else 0 end`, bindings);
};

/** The groups that the viewer sees, with the level they have there as `reach.level`. */
export const visibleGroups = (query: Knex, viewer: Viewer): Knex.QueryBuilder => {
  const list = withReach(query, viewer)
    .from('namespaces')
    .leftJoin('reach', 'reach.namespace_id', 'namespaces.id')
    .where('namespaces.kind', 'group')
    .whereNull('namespaces.removal_requested_at');
  if (viewer.admin) return list;
  return list.where((visible) => {
    void visible.whereIn('namespaces.visibility', openTo(viewer)).orWhereNotNull('reach.level');
  });
};

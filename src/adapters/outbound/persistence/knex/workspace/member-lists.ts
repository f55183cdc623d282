import type { Knex } from 'knex';
import type {
  MemberProfile,
  MemberQuery,
  Viewer,
} from '../../../../../application/workspace/ports/workspace-readers.js';
import { ACCESS_LEVEL } from '../../../../../domain/shared/access-level.js';
import type { UserState } from '../../../../../domain/identity/user.js';
import type { GroupId, NamespaceId, ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { Page } from '../../../../../domain/shared/page.js';
import { pageOfRows } from '../page-of-rows.js';
import type { Session } from '../session.js';
import { containsPattern } from '../text-search.js';
import { lineageOf } from '../visibility/lineage.js';
import { joinOwnMembership, unexpired } from '../visibility/memberships.js';
import { lowerLevel, sharedLineage } from '../visibility/shared-projects.js';
import { openTo, visibleGroups } from '../visibility/visible.js';
import type { MemberRow } from './knex-member-repository.js';

const MEMBER_COLUMNS = ['user_id', 'access_level', 'expires_at', 'created_at'];

interface AncestorRow {
  readonly id: NamespaceId;
  readonly visibility: string;
  readonly membership: number | null;
}

type MemberProfileRow = MemberRow & {
  readonly username: string;
  readonly name: string;
  readonly state: UserState;
  readonly bot_project_id: number | null;
  readonly bot_group_id: number | null;
  readonly shared_group_id: GroupId | null;
};

/** The group that the project is shared with, of a member who is one without it. */
const notShared = (query: Knex): Knex.Raw => query.raw('cast(null as bigint) as shared_group_id');

const membersOfGroups = ({ query }: Session, ids: readonly NamespaceId[]): Knex.QueryBuilder =>
  query('group_members')
    .whereIn('namespace_id', [...ids])
    .select(...MEMBER_COLUMNS, notShared(query));

/** Whose own namespace it is, as a member; a group has no such owner. */
const ownerOf = ({ query }: Session, id: NamespaceId): Knex.QueryBuilder => {
  const level = query.raw('cast(? as integer) as access_level', [ACCESS_LEVEL.owner]);
  const forever = query.raw('cast(null as text) as expires_at');
  return query('namespaces')
    .where({ id })
    .whereNotNull('owner_id')
    .select({ user_id: 'owner_id' }, level, forever, 'created_at', notShared(query));
};

/** The earlier of two days, where null is never. */
const EARLIER_END = `case when group_members.expires_at is null or shared.expires_at < group_members.expires_at
  then shared.expires_at else group_members.expires_at end as expires_at`;

/** Members of the groups that a project is shared with, as far as the viewer may see these groups and those that hold them. */
const sharedMembers = ({ query }: Session, id: ProjectId, viewer: Viewer): Knex.QueryBuilder => {
  const seen = () => visibleGroups(query, viewer).select('namespaces.id');
  return query
    .from(sharedLineage(query, id, viewer.today).select('shared.*').as('shared'))
    .join('group_members', 'group_members.namespace_id', 'shared.id')
    .andWhere(unexpired('group_members', viewer.today))
    .whereIn('shared.group_id', seen())
    .whereIn('shared.id', seen())
    .select(
      'group_members.user_id',
      query.raw(`${lowerLevel('shared.access_level', 'group_members.access_level')} as access_level`),
      query.raw(EARLIER_END),
      'group_members.created_at',
      { shared_group_id: 'shared.group_id' },
    );
};

/** Of a namespace and those above it, the ones that the viewer may see. */
const seenOfLineage = async (
  { query }: Session,
  namespaceId: NamespaceId,
  viewer: Viewer,
): Promise<readonly NamespaceId[]> => {
  const list = lineageOf(query, namespaceId).join('namespaces', 'namespaces.id', 'lineage.id');
  joinOwnMembership(list, 'group_members', 'lineage.id', viewer);
  const lineage = (await list
    .orderBy('lineage.distance', 'desc')
    .select('lineage.id', 'namespaces.visibility', { membership: 'group_members.id' })) as AncestorRow[];
  const open = new Set(openTo(viewer));
  // From the top down: a member of a group is a member of all below it.
  const joined = lineage.findIndex(({ membership }) => membership !== null);
  return lineage
    .filter(({ visibility }, at) => viewer.admin || open.has(visibility) || (joined !== -1 && at >= joined))
    .map(({ id }) => id);
};

/** Of several memberships of one person the highest is shown. */
const listMembers = (
  session: Session,
  memberships: Knex.QueryBuilder,
  { viewer, search, userId, userIds, skip, page }: MemberQuery,
): Promise<Page<MemberProfile>> => {
  const { query, dialect } = session;
  const ranked = query
    .from(memberships.as('memberships'))
    .where(unexpired('memberships', viewer.today))
    .select('memberships.*', {
      rank: query.raw('row_number() over (partition by user_id order by access_level desc, created_at)'),
    });
  const list = query
    .from(ranked.as('members'))
    .join('users', 'users.id', 'members.user_id')
    .where('members.rank', 1)
    .select('members.*', 'users.username', 'users.name', 'users.state', 'users.bot_project_id', 'users.bot_group_id')
    .orderBy('members.user_id');
  if (userId !== undefined) void list.where('members.user_id', userId);
  if (userIds !== undefined) void list.whereIn('members.user_id', [...userIds]);
  if (skip !== undefined) void list.whereNotIn('members.user_id', [...skip]);
  if (search !== undefined) void list.whereRaw("users.search_key like ? escape '\\'", [containsPattern(search)]);
  return pageOfRows(session, list, page, (row: MemberProfileRow) => ({
    userId: row.user_id,
    accessLevel: row.access_level,
    expiresAt: row.expires_at,
    createdAt: dialect.readInstant(row.created_at),
    username: row.username,
    name: row.name,
    state: row.state,
    isBot: row.bot_project_id !== null || row.bot_group_id !== null,
    sharedGroupId: row.shared_group_id,
  }));
};

export const listProjectMembers = async (
  session: Session,
  projectId: ProjectId,
  asked: MemberQuery,
): Promise<Page<MemberProfile>> => {
  const { query } = session;
  const direct = query('project_members')
    .where({ project_id: projectId })
    .select(...MEMBER_COLUMNS, notShared(query));
  const project = await query('projects').where({ id: projectId }).first('namespace_id');
  if (!asked.inherited || project === undefined) return listMembers(session, direct, asked);
  const groups = await seenOfLineage(session, project.namespace_id, asked.viewer);
  const others = [
    membersOfGroups(session, groups),
    ownerOf(session, project.namespace_id),
    sharedMembers(session, projectId, asked.viewer),
  ];
  return listMembers(session, direct.unionAll(others), asked);
};

export const listGroupMembers = async (
  session: Session,
  groupId: GroupId,
  asked: MemberQuery,
): Promise<Page<MemberProfile>> => {
  const groups = asked.inherited ? await seenOfLineage(session, groupId, asked.viewer) : [groupId];
  return listMembers(session, membersOfGroups(session, groups), asked);
};

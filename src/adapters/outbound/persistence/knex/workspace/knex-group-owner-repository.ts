import type { Knex } from 'knex';
import type {
  GroupOwnerRepository,
  OwnedGroup,
} from '../../../../../application/workspace/ports/workspace-repositories.js';
import type { GroupId, UserId } from '../../../../../domain/shared/identifiers.js';
import { ACCESS_LEVEL } from '../../../../../domain/shared/access-level.js';
import type { LastingOwner } from '../../../../../domain/workspace/lasting-owner.js';
import type { Session } from '../session.js';
import { lockTrees } from './namespace-trees.js';

interface OwnerRow {
  readonly id: GroupId;
  readonly full_path: string;
  readonly user_id: UserId;
  readonly state: string;
}

export class KnexGroupOwnerRepository implements GroupOwnerRepository {
  constructor(private readonly session: Session) {}

  async takeOwnedBy(userId: UserId, groupId?: GroupId): Promise<readonly OwnedGroup[]> {
    const { query } = this.session;
    const groups = query('namespaces')
      .where({ kind: 'group', ...(groupId === undefined ? {} : { id: groupId }) })
      .whereNull('parent_id')
      .whereNull('removal_requested_at');
    const memberships = query('group_members').where({ user_id: userId });
    // At any level, and below others too: the member may be becoming an owner, and the group one at the top.
    await lockTrees(this.session, groupId === undefined ? memberships.clone().select('namespace_id') : [groupId]);
    const owned = groups.clone().whereIn('id', lasting(memberships, 'group_members').select('namespace_id'));
    const rows = (await lasting(query({ owner: 'group_members' }), 'owner')
      .join(owned.as('owned'), 'owned.id', 'owner.namespace_id')
      .join('users', 'users.id', 'owner.user_id')
      .whereNull('users.bot_group_id')
      .orderBy('owned.id')
      .select('owned.id', 'owned.full_path', 'owner.user_id', 'users.state')) as OwnerRow[];
    return groupsOf(rows);
  }

  async lastingOwnersOf(groupId: GroupId): Promise<readonly LastingOwner[]> {
    const members = this.session.query({ owner: 'group_members' }).where('owner.namespace_id', groupId);
    const rows = (await lasting(members, 'owner')
      .join('users', 'users.id', 'owner.user_id')
      .whereNull('users.bot_group_id')
      .orderBy('users.id')
      .select('owner.user_id', 'users.state')) as Pick<OwnerRow, 'user_id' | 'state'>[];
    return rows.map(toOwner);
  }
}

/** The bot of an access token is nobody who looks after a group. */
const lasting = (members: Knex.QueryBuilder, table: string): Knex.QueryBuilder =>
  members.where(`${table}.access_level`, ACCESS_LEVEL.owner).whereNull(`${table}.expires_at`);

const toOwner = ({ user_id: userId, state }: Pick<OwnerRow, 'user_id' | 'state'>): LastingOwner => ({
  userId,
  blocked: state === 'blocked',
});

const groupsOf = (rows: readonly OwnerRow[]): readonly OwnedGroup[] => {
  const groups = new Map<GroupId, OwnedGroup>();
  for (const row of rows) {
    const { id, full_path: fullPath } = row;
    const owners = groups.get(id)?.owners ?? [];
    groups.set(id, { id, fullPath, owners: [...owners, toOwner(row)] });
  }
  return [...groups.values()];
};

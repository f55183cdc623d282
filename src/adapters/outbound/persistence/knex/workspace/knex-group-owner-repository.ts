import type { Knex } from 'knex';
import type {
  GroupOwnerRepository,
  OwnedGroup,
} from '../../../../../application/workspace/ports/workspace-repositories.js';
import type { GroupId, UserId } from '../../../../../domain/shared/identifiers.js';
import { ACCESS_LEVEL } from '../../../../../domain/shared/access-level.js';
import type { Session } from '../session.js';

interface OwnerRow {
  readonly id: GroupId;
  readonly full_path: string;
  readonly user_id: UserId;
  readonly state: string;
}

export class KnexGroupOwnerRepository implements GroupOwnerRepository {
  constructor(private readonly session: Session) {}

  async takeOwnedBy(userId: UserId, groupId?: GroupId): Promise<readonly OwnedGroup[]> {
    const { query, dialect } = this.session;
    const groups = query('namespaces')
      .where({ kind: 'group', ...(groupId === undefined ? {} : { id: groupId }) })
      .whereNull('parent_id')
      .whereNull('removal_requested_at');
    const memberships = query('group_members').where({ user_id: userId });
    // At any level: others may be making the member an owner. In the order of their ids, as everybody locks them.
    await dialect.lockRows(
      groups.clone().whereIn('id', memberships.clone().select('namespace_id')).orderBy('id').select('id'),
    );
    const owned = groups.clone().whereIn('id', lasting(memberships, 'group_members').select('namespace_id'));
    const rows = (await lasting(query({ owner: 'group_members' }), 'owner')
      .join(owned.as('owned'), 'owned.id', 'owner.namespace_id')
      .join('users', 'users.id', 'owner.user_id')
      .orderBy('owned.id')
      .select('owned.id', 'owned.full_path', 'owner.user_id', 'users.state')) as OwnerRow[];
    return groupsOf(rows);
  }
}

const lasting = (members: Knex.QueryBuilder, table: string): Knex.QueryBuilder =>
  members.where(`${table}.access_level`, ACCESS_LEVEL.owner).whereNull(`${table}.expires_at`);

const groupsOf = (rows: readonly OwnerRow[]): readonly OwnedGroup[] => {
  const groups = new Map<GroupId, OwnedGroup>();
  for (const { id, full_path: fullPath, user_id: userId, state } of rows) {
    const owners = groups.get(id)?.owners ?? [];
    groups.set(id, { id, fullPath, owners: [...owners, { userId, blocked: state === 'blocked' }] });
  }
  return [...groups.values()];
};

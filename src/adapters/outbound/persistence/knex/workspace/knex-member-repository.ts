import type { MemberRepository } from '../../../../../application/workspace/ports/workspace-repositories.js';
import { Conflict } from '../../../../../domain/shared/domain-error.js';
import type { GroupId, ProjectId, UserId } from '../../../../../domain/shared/identifiers.js';
import type { Member } from '../../../../../domain/workspace/namespace.js';
import { onUniqueViolation } from '../dialect/on-unique-violation.js';
import type { Session } from '../session.js';
import type { RowOf } from '../tables.js';

export type MemberRow = Pick<RowOf<'group_members'>, 'user_id' | 'access_level' | 'expires_at' | 'created_at'>;

/** Groups and projects keep their members alike, in a table each. */
export interface MemberTable {
  readonly name: 'group_members' | 'project_members';
  readonly owner: 'namespace_id' | 'project_id';
}

export const GROUP_MEMBERS: MemberTable = { name: 'group_members', owner: 'namespace_id' };
export const PROJECT_MEMBERS: MemberTable = { name: 'project_members', owner: 'project_id' };

export class KnexMemberRepository<OwnerId extends GroupId | ProjectId> implements MemberRepository<OwnerId> {
  constructor(
    private readonly session: Session,
    private readonly table: MemberTable,
  ) {}

  async find(ownerId: number, userId: UserId): Promise<Member | undefined> {
    const row = await this.#of(ownerId).andWhere({ user_id: userId }).first();
    return (
      row && {
        userId: row.user_id,
        accessLevel: row.access_level,
        expiresAt: row.expires_at,
        createdAt: this.session.dialect.readInstant(row.created_at),
      }
    );
  }

  async add(ownerId: number, { userId, accessLevel, expiresAt, createdAt }: Member): Promise<void> {
    const { name, owner } = this.table;
    const insert = this.session.query(name).insert({
      [owner]: ownerId,
      user_id: userId,
      access_level: accessLevel,
      expires_at: expiresAt,
      created_at: this.session.dialect.writeInstant(createdAt),
    });
    await onUniqueViolation(insert, {
      [`${name}_${owner}_user_id_unique`]: () => new Conflict('Member already exists'),
    });
  }

  async update(
    ownerId: number,
    userId: UserId,
    { accessLevel, expiresAt }: Pick<Member, 'accessLevel' | 'expiresAt'>,
  ): Promise<void> {
    await this.#of(ownerId).andWhere({ user_id: userId }).update({ access_level: accessLevel, expires_at: expiresAt });
  }

  async remove(ownerId: number, userId: UserId): Promise<boolean> {
    return (await this.#of(ownerId).andWhere({ user_id: userId }).delete()) > 0;
  }

  async removeExpired(
    today: string,
    limit: number,
    of?: { readonly ownerId: number; readonly userId: UserId },
  ): Promise<readonly { readonly ownerId: OwnerId; readonly userId: UserId }[]> {
    const { query, dialect } = this.session;
    const { name, owner } = this.table;
    const rows = of === undefined ? query(name) : this.#of(of.ownerId).andWhere({ user_id: of.userId });
    const ended = (await dialect.lockRows(
      rows.where('expires_at', '<=', today).select({ id: 'id', ownerId: owner, userId: 'user_id' }).limit(limit),
    )) as { id: number; ownerId: OwnerId; userId: UserId }[];
    const ids = ended.map(({ id }) => id);
    if (ids.length > 0) await query(name).whereIn('id', ids).delete();
    return ended;
  }

  #of(ownerId: number) {
    return this.session.query(this.table.name).where({ [this.table.owner]: ownerId });
  }
}

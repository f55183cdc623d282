import type { Knex } from 'knex';
import type {
  GroupChanges,
  GroupRepository,
  HeldGroup,
  NewGroup,
} from '../../../../../application/workspace/ports/workspace-repositories.js';
import { Invalid, NotFound, NotPossible } from '../../../../../domain/shared/domain-error.js';
import type { GroupId, NamespaceId, ProjectId } from '../../../../../domain/shared/identifiers.js';
import { onUniqueViolation } from '../dialect/on-unique-violation.js';
import type { Session } from '../session.js';
import { searchKey } from '../text-search.js';
import { idsInside } from '../visibility/lineage.js';
import { claimPath, keepFormerPath } from './former-paths.js';
import { isAtPath } from './is-at-path.js';
import { movePaths } from './move-paths.js';
import { lockTrees } from './namespace-trees.js';
import type { GroupRow, NamespaceRow } from './workspace-rows.js';

const REFUSALS = {
  namespaces_full_path_key_unique: () => new Invalid({ path: ['has already been taken'] }),
};

const TAKEN_THERE = {
  namespaces_full_path_key_unique: () =>
    new NotPossible('Transfer failed: The parent group already has a subgroup or a project with the same path.'),
};

const below = (parent: Pick<NamespaceRow, 'full_path' | 'full_name'> | undefined, name: string, path: string) => {
  const fullPath = parent === undefined ? path : `${parent.full_path}/${path}`;
  return {
    name,
    name_key: searchKey(name),
    path,
    full_path: fullPath,
    full_path_key: searchKey(fullPath),
    full_name: parent === undefined ? name : `${parent.full_name} / ${name}`,
  };
};

export class KnexGroupRepository implements GroupRepository {
  constructor(private readonly session: Session) {}

  async add(group: NewGroup): Promise<GroupId> {
    const { name, path, description, visibility, parentId, requestAccessEnabled = true, createdAt } = group;
    const parent = parentId === null ? undefined : await this.#find(parentId);
    if (parentId !== null && parent === undefined) throw new NotFound('Group');
    const at = this.session.dialect.writeInstant(createdAt);
    const named = below(parent, name, path);
    await this.#refuseTaken(named, REFUSALS);
    const insert = this.session
      .query('namespaces')
      .insert({
        ...named,
        kind: 'group',
        parent_id: parentId,
        description,
        visibility,
        request_access_enabled: requestAccessEnabled,
        created_at: at,
        updated_at: at,
      })
      .returning('id');
    const [row] = (await onUniqueViolation(insert, REFUSALS)) as { id: GroupId }[];
    await claimPath(this.session, named.full_path);
    return row!.id;
  }

  async take(id: GroupId): Promise<HeldGroup | undefined> {
    await lockTrees(this.session, [id]);
    // A statement of its own: it sees what was committed while this work waited.
    const row = await this.#find(id);
    if (row === undefined) return undefined;
    const { parent_id: parentId, full_path: fullPath, name, path, description, visibility } = row;
    return { id, parentId, fullPath, name, path, description, visibility };
  }

  async levelsIn(id: GroupId): Promise<number> {
    const { query } = this.session;
    const depth = (column: string) =>
      query.raw(`max(length(${column}) - length(replace(${column}, '/', ''))) as depth`);
    const inside = query('namespaces').whereIn('id', idsInside(query, id)).whereNull('removal_requested_at');
    const [deepest] = (await inside.select(depth('full_path'))) as { depth: number | null }[];
    const [own] = (await query('namespaces').where({ id }).select(depth('full_path'))) as { depth: number | null }[];
    return Number(deepest?.depth ?? 0) - Number(own?.depth ?? 0) + 1;
  }

  async update(id: GroupId, changes: GroupChanges, at: Date): Promise<void> {
    const before = await this.#find(id);
    if (before === undefined) throw new NotFound('Group');
    const { name, path, description, visibility } = { ...before, ...changes };
    const named = below(await this.#holderOf(before.parent_id), name, path);
    if (named.full_path_key !== before.full_path_key) await this.#refuseTaken(named, REFUSALS);
    const changed = {
      ...named,
      description,
      visibility,
      request_access_enabled: changes.requestAccessEnabled ?? Boolean(before.request_access_enabled),
      updated_at: this.session.dialect.writeInstant(at),
    };
    await onUniqueViolation(this.session.query('namespaces').where({ id }).update(changed), REFUSALS);
    await this.#takeAlong(before, named);
  }

  async move(id: GroupId, parentId: GroupId | null, at: Date): Promise<void> {
    const before = await this.#find(id);
    if (before === undefined) throw new NotFound('Group');
    const holder = await this.#holderOf(parentId);
    if (parentId !== null && holder === undefined) throw new NotFound('Group');
    const named = below(holder, before.name, before.path);
    await this.#refuseTaken(named, TAKEN_THERE);
    const changed = { ...named, parent_id: parentId, updated_at: this.session.dialect.writeInstant(at) };
    await onUniqueViolation(this.session.query('namespaces').where({ id }).update(changed), TAKEN_THERE);
    await this.#takeAlong(before, named);
  }

  /** Whatever is below a path is below it alone: both kinds of places are told apart by nothing else. */
  async #refuseTaken(
    { full_path_key }: Pick<GroupRow, 'full_path_key'>,
    refusals: typeof REFUSALS | typeof TAKEN_THERE,
  ) {
    if (await isAtPath(this.session, 'projects', full_path_key)) throw refusals.namespaces_full_path_key_unique();
  }

  async #holderOf(parentId: GroupId | null): Promise<GroupRow | undefined> {
    return parentId === null ? undefined : this.#find(parentId);
  }

  /** What is below a group is called after it. */
  async #takeAlong(before: GroupRow, named: Pick<GroupRow, 'full_path' | 'full_name'>): Promise<void> {
    const { id, full_path: from } = before;
    if (named.full_path !== from) {
      await movePaths(this.session, from, named.full_path);
      await keepFormerPath(this.session, from, named.full_path, { namespace_id: id });
    }
    if (named.full_name !== before.full_name) await this.#renameBelow(id, named.full_name);
  }

  async requestRemoval(id: GroupId, at: Date): Promise<boolean> {
    const group = await this.#find(id);
    if (group === undefined) return false;
    const removal_requested_at = this.session.dialect.writeInstant(at);
    // What was shared with them isn't theirs from this moment on.
    await this.session.query('project_group_links').whereIn('group_id', idsInside(this.session.query, id)).delete();
    for (const [table, column] of [
      ['namespaces', 'id'],
      ['projects', 'namespace_id'],
    ] as const) {
      await this.session
        .query(table)
        .whereIn(column, idsInside(this.session.query, id))
        .update({
          removal_requested_at,
          full_path_key: this.session.query.raw("full_path_key || '/-/' || id"),
          name_key: this.session.query.raw("name_key || '/-/' || id"),
        });
    }
    return true;
  }

  async projectsInside(id: GroupId, limit: number): Promise<readonly ProjectId[]> {
    const inside = this.session.query('projects').whereIn('namespace_id', idsInside(this.session.query, id));
    const rows = await inside.orderBy('id').limit(limit).select('id');
    return rows.map((row) => row.id);
  }

  async removeSome(id: GroupId, limit: number): Promise<boolean> {
    const projects = await this.projectsInside(id, limit);
    if (projects.length > 0) {
      await this.session
        .query('projects')
        .whereIn('id', [...projects])
        .delete();
      return false;
    }
    // From the leaves: a group goes when nothing is below it.
    const leaves = this.session
      .query({ leaf: 'namespaces' })
      .whereIn('leaf.id', idsInside(this.session.query, id))
      .whereNotExists((below) => {
        void below.from({ child: 'namespaces' }).whereRaw('child.parent_id = leaf.id');
      })
      .select('leaf.id')
      .limit(limit);
    await this.#removeAll('namespaces', leaves);
    const left = await this.session.query('namespaces').where({ id }).first('id');
    return left === undefined;
  }

  async #removeAll(table: string, which: Knex.QueryBuilder): Promise<number> {
    const ids = ((await which) as { id: number }[]).map((row) => row.id);
    return ids.length === 0 ? 0 : this.session.query(table).whereIn('id', ids).delete();
  }

  async #find(id: GroupId): Promise<GroupRow | undefined> {
    return (await this.session
      .query('namespaces')
      .where({ id, kind: 'group' })
      .whereNull('removal_requested_at')
      .first()) as GroupRow | undefined;
  }

  async #renameBelow(id: NamespaceId, fullName: string): Promise<void> {
    const children = await this.session.query('namespaces').where({ parent_id: id });
    for (const child of children) {
      const childName = `${fullName} / ${child.name}`;
      await this.session.query('namespaces').where({ id: child.id }).update({ full_name: childName });
      await this.#renameBelow(child.id, childName);
    }
  }
}

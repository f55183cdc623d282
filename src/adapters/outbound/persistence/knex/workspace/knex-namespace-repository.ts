import type {
  HeldNamespace,
  NamespaceRepository,
  PersonalNamespace,
} from '../../../../../application/workspace/ports/namespace-repository.js';
import { Conflict } from '../../../../../domain/shared/domain-error.js';
import type { GroupId, NamespaceId, UserId } from '../../../../../domain/shared/identifiers.js';
import type { VisibilitiesInside } from '../../../../../domain/workspace/visibility-cap.js';
import { narrowest, type Visibility } from '../../../../../domain/shared/visibility.js';
import { onUniqueViolation } from '../dialect/on-unique-violation.js';
import type { Session } from '../session.js';
import { searchKey } from '../text-search.js';
import { idsInside, lineagesOf } from '../visibility/lineage.js';
import { claimPath, keepFormerPath } from './former-paths.js';
import { movePaths } from './move-paths.js';
import { lockTrees } from './namespace-trees.js';

const REFUSALS = { namespaces_full_path_key_unique: () => new Conflict('Username has already been taken') };

const namedAfter = (username: string, name: string) => ({
  name,
  name_key: searchKey(name),
  path: username,
  full_path: username,
  full_path_key: searchKey(username),
  full_name: name,
});

export class KnexNamespaceRepository implements NamespaceRepository {
  constructor(private readonly session: Session) {}

  async takeTrees(ids: readonly NamespaceId[]): Promise<readonly HeldNamespace[]> {
    await lockTrees(this.session, ids);
    // A statement of its own: it sees what was committed while this work waited.
    const rows = (await lineagesOf(this.session.query, ids).select('start_id', 'visibility')) as {
      start_id: NamespaceId;
      visibility: Visibility;
    }[];
    const there = await this.session
      .query('namespaces')
      .whereIn('id', [...ids])
      .whereNull('removal_requested_at')
      .select('id');
    return there.map(({ id }) => ({
      id,
      visibility: narrowest(rows.filter((row) => row.start_id === id).map(({ visibility }) => visibility)),
    }));
  }

  async visibilitiesInside(id: GroupId): Promise<VisibilitiesInside> {
    const { query } = this.session;
    const of = async (table: string, column: string): Promise<readonly Visibility[]> => {
      const inside = query(table).whereIn(column, idsInside(query, id)).whereNull('removal_requested_at');
      const others = table === 'namespaces' ? inside.whereNot({ id }) : inside;
      return ((await others.distinct('visibility')) as { visibility: Visibility }[]).map(
        ({ visibility }) => visibility,
      );
    };
    return { projects: await of('projects', 'namespace_id'), subgroups: await of('namespaces', 'id') };
  }

  async addPersonal({ ownerId, username, name, createdAt }: PersonalNamespace): Promise<NamespaceId> {
    const at = this.session.dialect.writeInstant(createdAt);
    const insert = this.session
      .query('namespaces')
      .insert({
        ...namedAfter(username, name),
        kind: 'user',
        owner_id: ownerId,
        description: '',
        visibility: 'public',
        created_at: at,
        updated_at: at,
      })
      .returning('id');
    const [row] = await onUniqueViolation(insert, REFUSALS);
    await claimPath(this.session, username);
    return row!.id;
  }

  async renamePersonal(ownerId: UserId, username: string, name: string): Promise<void> {
    const namespaces = () => this.session.query('namespaces').where({ owner_id: ownerId });
    const before = await namespaces().first('id', 'full_path');
    if (before === undefined) return;
    await onUniqueViolation(namespaces().update(namedAfter(username, name)), REFUSALS);
    if (before.full_path === username) return;
    await movePaths(this.session, before.full_path, username);
    await keepFormerPath(this.session, before.full_path, username, { namespace_id: before.id });
  }
}

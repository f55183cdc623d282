import type {
  NamespaceRepository,
  PersonalNamespace,
} from '../../../../../application/workspace/ports/namespace-repository.js';
import { Conflict } from '../../../../../domain/shared/domain-error.js';
import type { NamespaceId, UserId } from '../../../../../domain/shared/identifiers.js';
import { onUniqueViolation } from '../dialect/on-unique-violation.js';
import type { Session } from '../session.js';
import { searchKey } from '../text-search.js';
import { movePaths } from './move-paths.js';

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
    const [row] = (await onUniqueViolation(insert, REFUSALS)) as { id: number }[];
    return row!.id;
  }

  async renamePersonal(ownerId: UserId, username: string, name: string): Promise<void> {
    const namespaces = () => this.session.query('namespaces').where({ owner_id: ownerId });
    const before = (await namespaces().first('id', 'full_path')) as { id: number; full_path: string } | undefined;
    if (before === undefined) return;
    await onUniqueViolation(namespaces().update(namedAfter(username, name)), REFUSALS);
    if (before.full_path !== username) await movePaths(this.session, before.full_path, username);
  }
}

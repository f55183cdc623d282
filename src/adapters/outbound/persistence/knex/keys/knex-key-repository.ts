import type { KeyRepository, NewDeployKey, NewUserKey } from '../../../../../application/keys/ports/key-ports.js';
import type { DeployKey, UserKey } from '../../../../../domain/keys/ssh-key.js';
import { Invalid } from '../../../../../domain/shared/domain-error.js';
import type { ProjectId, UserId } from '../../../../../domain/shared/identifiers.js';
import { writeInstantOrNull } from '../dialect/nullable-instants.js';
import { onUniqueViolation } from '../dialect/on-unique-violation.js';
import type { Session } from '../session.js';
import { toDeployKey, type SshKeyRow } from './ssh-key-row.js';

type Owner = Pick<SshKeyRow, 'user_id' | 'creator_id' | 'is_public'>;

export class KnexKeyRepository implements KeyRepository {
  constructor(private readonly session: Session) {}

  async addUserKey(key: NewUserKey): Promise<UserKey> {
    const row = await this.#add(key, { user_id: key.userId, creator_id: null, is_public: false });
    return { ...key, id: row.id, lastUsedAt: null };
  }

  async addDeployKey(key: NewDeployKey): Promise<DeployKey> {
    const row = await this.#add(key, { user_id: null, creator_id: key.creatorId, is_public: key.isPublic });
    return { ...key, id: row.id, lastUsedAt: null };
  }

  async removeUserKey(userId: UserId, id: number): Promise<boolean> {
    return (await this.session.query('ssh_keys').where({ id, user_id: userId }).delete()) === 1;
  }

  async takeDeployKey(id: number): Promise<DeployKey | undefined> {
    const { query, dialect } = this.session;
    const [row] = await dialect.lockRows(query('ssh_keys').where({ id }).whereNull('user_id'));
    return row && toDeployKey(row, dialect);
  }

  async rename(id: number, title: string): Promise<void> {
    await this.session.query('ssh_keys').where({ id }).update({ title });
  }

  async remove(id: number): Promise<void> {
    await this.session.query('ssh_keys').where({ id }).delete();
  }

  async enable(id: number, projectId: ProjectId, canPush: boolean, at: Date): Promise<void> {
    const { query, dialect } = this.session;
    const [created_at, updated_at] = [dialect.writeInstant(at), dialect.writeInstant(at)];
    await query('deploy_key_projects')
      .insert({ ssh_key_id: id, project_id: projectId, can_push: canPush, created_at, updated_at })
      .onConflict(['ssh_key_id', 'project_id'])
      .ignore();
  }

  async setCanPush(id: number, projectId: ProjectId, canPush: boolean, at: Date): Promise<void> {
    const { query, dialect } = this.session;
    await query('deploy_key_projects')
      .where({ ssh_key_id: id, project_id: projectId })
      .update({ can_push: canPush, updated_at: dialect.writeInstant(at) });
  }

  async disable(id: number, projectId: ProjectId): Promise<boolean> {
    const enabled = this.session.query('deploy_key_projects').where({ ssh_key_id: id, project_id: projectId });
    return (await enabled.delete()) === 1;
  }

  async isEnabledAnywhere(id: number): Promise<boolean> {
    return (await this.session.query('deploy_key_projects').where({ ssh_key_id: id }).first('id')) !== undefined;
  }

  async idsOfProject(projectId: ProjectId, limit: number): Promise<readonly number[]> {
    const rows = await this.session
      .query('deploy_key_projects')
      .where({ project_id: projectId })
      .orderBy('ssh_key_id')
      .limit(limit)
      .select('ssh_key_id');
    return rows.map(({ ssh_key_id }) => ssh_key_id);
  }

  async holdIdsOfProject(projectId: ProjectId, limit: number): Promise<readonly number[]> {
    await this.session.hold(`deploy keys of ${projectId}`);
    return this.idsOfProject(projectId, limit);
  }

  async recordUses(uses: ReadonlyMap<number, Date>): Promise<void> {
    const { query, dialect } = this.session;
    for (const [id, at] of uses)
      await query('ssh_keys')
        .where({ id })
        .update({ last_used_at: dialect.writeInstant(at) });
  }

  async #add(key: NewUserKey | NewDeployKey, owner: Owner): Promise<{ readonly id: number }> {
    const { query, dialect } = this.session;
    const insert = query('ssh_keys')
      .insert({
        ...owner,
        title: key.title,
        public_key: key.publicKey,
        fingerprint_sha256: key.sha256,
        fingerprint_md5: key.md5,
        expires_at: writeInstantOrNull(dialect, key.expiresAt),
        created_at: dialect.writeInstant(key.createdAt),
      })
      .returning('id');
    const [row] = (await onUniqueViolation(insert, {
      ssh_keys_fingerprint_sha256_unique: () => new Invalid({ fingerprint: ['has already been taken'] }),
    })) as { id: number }[];
    return row!;
  }
}

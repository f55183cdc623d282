import type { TokenOwner } from '../../../../../application/identity/ports/identity-readers.js';
import type { EnabledKey, KeyHolder, KeyProject, KeyReader } from '../../../../../application/keys/ports/key-ports.js';
import type { DeployKey, UserKey } from '../../../../../domain/keys/ssh-key.js';
import type { FingerprintQuery } from '../../../../../domain/keys/ssh-public-key.js';
import type { ProjectId, UserId } from '../../../../../domain/shared/identifiers.js';
import type { Page, PageRequest } from '../../../../../domain/shared/page.js';
import { pageOfRows } from '../page-of-rows.js';
import type { Session } from '../session.js';
import type { RowOf } from '../tables.js';
import { toDeployKey, toKey, type SshKeyRow } from './ssh-key-row.js';

type EnabledRow = SshKeyRow & Pick<RowOf<'deploy_key_projects'>, 'can_push'>;

export class KnexKeyReader implements KeyReader {
  constructor(private readonly session: Session) {}

  listOfUser(userId: UserId, page: PageRequest): Promise<Page<UserKey>> {
    const list = this.session.query('ssh_keys').where({ user_id: userId }).select('*').orderBy('id');
    return pageOfRows(this.session, list, page, (row: SshKeyRow) => this.#toUserKey(row, userId));
  }

  async findOfUser(userId: UserId, id: number): Promise<UserKey | undefined> {
    const row = await this.session.query('ssh_keys').where({ id, user_id: userId }).first();
    return row && this.#toUserKey(row, userId);
  }

  async find(id: number): Promise<UserKey | DeployKey | undefined> {
    const row = await this.session.query('ssh_keys').where({ id }).first();
    return row && toKey(row, this.session.dialect);
  }

  async findByFingerprint(fingerprint: FingerprintQuery): Promise<UserKey | DeployKey | undefined> {
    const where =
      'sha256' in fingerprint ? { fingerprint_sha256: fingerprint.sha256 } : { fingerprint_md5: fingerprint.md5 };
    const row = await this.session.query('ssh_keys').where(where).orderBy('id').first();
    return row && toKey(row, this.session.dialect);
  }

  async holderOf(sha256: string): Promise<KeyHolder | undefined> {
    const key = await this.findByFingerprint({ sha256 });
    if (key === undefined) return undefined;
    if (!('userId' in key)) return { kind: 'deploy', key, creator: (await this.#person(key.creatorId)) ?? null };
    const owner = await this.#person(key.userId);
    return owner && { kind: 'user', key, owner };
  }

  listOfProject(projectId: ProjectId, page: PageRequest): Promise<Page<EnabledKey>> {
    const list = this.#enabled(projectId).orderBy('key.id');
    return pageOfRows(this.session, list, page, (row: EnabledRow) => this.#toEnabledKey(row));
  }

  async findInProject(projectId: ProjectId, id: number): Promise<EnabledKey | undefined> {
    const [row] = (await this.#enabled(projectId).where('key.id', id)) as EnabledRow[];
    return row && this.#toEnabledKey(row);
  }

  async findDeployKey(id: number): Promise<DeployKey | undefined> {
    const row = await this.session.query('ssh_keys').where({ id }).whereNull('user_id').first();
    return row && toDeployKey(row, this.session.dialect);
  }

  listDeployKeys({
    publicOnly,
    page,
  }: {
    readonly publicOnly: boolean;
    readonly page: PageRequest;
  }): Promise<Page<DeployKey>> {
    const list = this.session.query('ssh_keys').whereNull('user_id').select('*').orderBy('id');
    if (publicOnly) void list.where({ is_public: true });
    return pageOfRows(this.session, list, page, (row: SshKeyRow) => toDeployKey(row, this.session.dialect));
  }

  async listForOthers({
    projectIds,
    except,
    limit,
  }: {
    readonly projectIds: readonly ProjectId[];
    readonly except: ProjectId;
    readonly limit: number;
  }): Promise<readonly DeployKey[]> {
    const { query, dialect } = this.session;
    const idsOf = (projects: readonly ProjectId[]) =>
      query('deploy_key_projects')
        .whereIn('project_id', [...projects])
        .select('ssh_key_id');
    const rows = await query('ssh_keys')
      .whereNull('user_id')
      .where((open) => void open.where({ is_public: true }).orWhereIn('id', idsOf(projectIds)))
      .whereNotIn('id', idsOf([except]))
      .orderBy('id')
      .limit(limit)
      .select('*');
    return rows.map((row) => toDeployKey(row, dialect));
  }

  async projectsOf(ids: readonly number[], limit: number): Promise<ReadonlyMap<number, readonly KeyProject[]>> {
    const { query, dialect } = this.session;
    const rows = await query('deploy_key_projects')
      .whereIn('ssh_key_id', [...ids])
      .orderBy('id')
      .limit(limit);
    const found = new Map<number, KeyProject[]>(ids.map((id) => [id, []]));
    for (const row of rows)
      found.get(row.ssh_key_id)?.push({
        id: row.id,
        projectId: row.project_id,
        canPush: Boolean(row.can_push),
        createdAt: dialect.readInstant(row.created_at),
        updatedAt: dialect.readInstant(row.updated_at),
      });
    return found;
  }

  #enabled(projectId: ProjectId) {
    return this.session
      .query({ key: 'ssh_keys' })
      .join({ enabled: 'deploy_key_projects' }, 'enabled.ssh_key_id', 'key.id')
      .where('enabled.project_id', projectId)
      .select('key.*', 'enabled.can_push');
  }

  #toEnabledKey(row: EnabledRow): EnabledKey {
    return { ...toDeployKey(row, this.session.dialect), canPush: Boolean(row.can_push) };
  }

  #toUserKey(row: SshKeyRow, userId: UserId): UserKey {
    return { ...toKey(row, this.session.dialect), userId };
  }

  async #person(id: UserId | null): Promise<TokenOwner | undefined> {
    if (id === null) return undefined;
    const row = await this.session.query('users').where({ id }).first('id', 'username', 'admin', 'state');
    return row && { id: row.id, username: row.username, admin: Boolean(row.admin), state: row.state };
  }
}

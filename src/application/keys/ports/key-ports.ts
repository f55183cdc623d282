import type { TokenOwner } from '../../identity/ports/identity-readers.js';
import type { DeployKey, SshKey, UserKey } from '../../../domain/keys/ssh-key.js';
import type { FingerprintQuery } from '../../../domain/keys/ssh-public-key.js';
import type { ProjectId, UserId } from '../../../domain/shared/identifiers.js';
import type { Page, PageRequest } from '../../../domain/shared/page.js';

export interface Fingerprints {
  /** In base64 without padding. */
  readonly sha256: string;
  /** In pairs of hex digits with colons between them. */
  readonly md5: string;
}

export interface KeyFingerprints {
  of(blob: Uint8Array): Fingerprints;
}

type NewKey = Omit<SshKey, 'id' | 'lastUsedAt'>;
export type NewUserKey = NewKey & Pick<UserKey, 'userId'>;
export type NewDeployKey = NewKey & Pick<DeployKey, 'creatorId' | 'isPublic'>;

export interface KeyRepository {
  /** @throws Invalid at `fingerprint` when anybody has the key. */
  addUserKey(key: NewUserKey): Promise<UserKey>;
  /** @throws as `addUserKey`. */
  addDeployKey(key: NewDeployKey): Promise<DeployKey>;
  removeUserKey(userId: UserId, id: number): Promise<boolean>;
  /** Reads and locks a deploy key until the work ends. */
  takeDeployKey(id: number): Promise<DeployKey | undefined>;
  rename(id: number, title: string): Promise<void>;
  remove(id: number): Promise<void>;
  /** Leaves it as it is where the project has the key already. */
  enable(id: number, projectId: ProjectId, canPush: boolean, at: Date): Promise<void>;
  setCanPush(id: number, projectId: ProjectId, canPush: boolean, at: Date): Promise<void>;
  disable(id: number, projectId: ProjectId): Promise<boolean>;
  isEnabledAnywhere(id: number): Promise<boolean>;
  /** The ids of some deploy keys that a project has. */
  idsOfProject(projectId: ProjectId, limit: number): Promise<readonly number[]>;
  /** The same. Whoever else asks so waits until the transaction ends, and must have locked no key before. */
  holdIdsOfProject(projectId: ProjectId, limit: number): Promise<readonly number[]>;
  /** Several at once: the uses are gathered outside the requests. */
  recordUses(uses: ReadonlyMap<number, Date>): Promise<void>;
}

/** A deploy key as one project has it. */
export type EnabledKey = DeployKey & { readonly canPush: boolean };

/** One project that has a deploy key. */
export interface KeyProject {
  readonly id: number;
  readonly projectId: ProjectId;
  readonly canPush: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Whose key it is, as far as the key alone tells. */
export type KeyHolder =
  | { readonly kind: 'user'; readonly key: UserKey; readonly owner: TokenOwner }
  | { readonly kind: 'deploy'; readonly key: DeployKey; readonly creator: TokenOwner | null };

export interface KeyReader {
  listOfUser(userId: UserId, page: PageRequest): Promise<Page<UserKey>>;
  findOfUser(userId: UserId, id: number): Promise<UserKey | undefined>;
  find(id: number): Promise<UserKey | DeployKey | undefined>;
  findByFingerprint(fingerprint: FingerprintQuery): Promise<UserKey | DeployKey | undefined>;
  holderOf(sha256: string): Promise<KeyHolder | undefined>;
  listOfProject(projectId: ProjectId, page: PageRequest): Promise<Page<EnabledKey>>;
  findInProject(projectId: ProjectId, id: number): Promise<EnabledKey | undefined>;
  findDeployKey(id: number): Promise<DeployKey | undefined>;
  listDeployKeys(query: { readonly publicOnly: boolean; readonly page: PageRequest }): Promise<Page<DeployKey>>;
  /** Deploy keys that are public, or that one of some projects has, without those of one project; so many. */
  listForOthers(query: {
    readonly projectIds: readonly ProjectId[];
    readonly except: ProjectId;
    readonly limit: number;
  }): Promise<readonly DeployKey[]>;
  /** The projects that have a deploy key, of several keys at once; so many in all. */
  projectsOf(ids: readonly number[], limit: number): Promise<ReadonlyMap<number, readonly KeyProject[]>>;
}

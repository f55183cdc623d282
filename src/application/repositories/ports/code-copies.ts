import type { ProjectId } from '../../../domain/shared/identifiers.js';
import type { StoreName } from './object-stores.js';
import type { Repository } from './repository-repositories.js';

/** Code that is still to be copied into a project. */
export interface CodeCopy {
  readonly projectId: ProjectId;
  /** Null when the source is gone. */
  readonly sourceId: ProjectId | null;
  /** The only one that it gets; null for all of them, and the tags. */
  readonly branch: string | null;
  /** How often it was tried, this time too. */
  readonly attempts: number;
}

/** A pool that is to be made if the source has none that is young enough. */
export interface PoolToMake {
  readonly store: StoreName;
  readonly youngerThan: Date;
  readonly at: Date;
}

export interface RefsToCopy {
  readonly version: number;
  /** The only one, with the bytes of what it needs; absent for all of them, and the tags. */
  readonly only?: { readonly branch: string; readonly bytes: number };
}

export interface CodeCopyRepository {
  add(copy: Omit<CodeCopy, 'attempts'>, at: Date): Promise<void>;
  /** One that is due, which nobody else gets before `until`. */
  lease(now: Date, until: Date): Promise<CodeCopy | undefined>;
  postpone(projectId: ProjectId, dueAt: Date): Promise<void>;
  /** False when it has ended before. */
  end(projectId: ProjectId): Promise<boolean>;
  /** Makes a repository a member of the pool of its source, and answers the store of the pool. */
  joinPool(member: Repository, source: Repository, pool: PoolToMake): Promise<StoreName>;
  /** Counts up with every change of a ref. */
  versionOf(repository: Repository): Promise<number>;
  /** Gives a repository branches and tags of its source. False when a ref of the source changed after `version`. */
  copyRefs(source: Repository, target: Repository, what: RefsToCopy): Promise<boolean>;
  /** Keeps everybody from joining pools without members, at most `limit`, and answers them. */
  closePools(at: Date, limit: number): Promise<readonly { readonly id: number; readonly store: StoreName }[]>;
  forgetPool(id: number): Promise<void>;
}

import type { RefTargets } from '../../../domain/repositories/ref-differences.js';
import type { StoreName } from './object-stores.js';

export interface CheckedRepository {
  readonly id: number;
  readonly store: StoreName;
  /** Of its project. */
  readonly path: string;
}

/** What the rows say that the files should say, at one version of them. */
export interface RefsOfRows {
  readonly version: number;
  readonly targets: RefTargets;
  /** Some are still to be written into the files. */
  readonly stale: boolean;
}

export interface RepositoryCheckRepository {
  /** The next ones behind an id that were not found well since an instant; of one project alone where its path is given. */
  due(
    query: { readonly after: number; readonly since: Date | null; readonly path?: string },
    limit: number,
  ): Promise<readonly CheckedRepository[]>;
  /** Branches, tags, and what is kept of lost ones. */
  refsOf(repositoryId: number): Promise<RefsOfRows>;
  foundWell(repositoryId: number, at: Date): Promise<void>;
}
